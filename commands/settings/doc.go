// Package settings is what the operator decided: by flags, FSBOX_ variables and the config file, in
// this order, and what follows from it.
//
// TakeEnvironment and Load complete the settings that flags gave (settings.go): the first asks no
// disk, so that timeout and format hold before the config file is read. Load finds the deny rules
// in force (deny.go) and the state folder, and sees to it that no request reaches the operator's
// own files (loaded.go): it gives a deny rule and a guard for each that lies in the
// workspace or can be reached through it.
//
// The package opens no workspace and knows no command. Nothing inside the workspace, and no
// request, changes a setting.
package settings
