# A test of cobra, a function of 121 lines, moves to another file.
cp -r "$(go mod download -json github.com/spf13/cobra@v1.10.1 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/." .
chmod -R u+w .
