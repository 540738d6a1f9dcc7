# A rename in five files of a Go module, 24 places, and the move of a file.
cp -r "$(go mod download -json github.com/spf13/cobra@v1.10.1 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/." .
chmod -R u+w .
