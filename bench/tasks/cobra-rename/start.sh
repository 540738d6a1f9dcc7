# A rename in nine files of a Go module: a field of cobra's Command.
cp -r "$(go mod download -json github.com/spf13/cobra@v1.10.2 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/." .
chmod -R u+w .
