# A fix in a file of 2,067 lines: cobra's help command hands the context on, and a heading is spelled right. Released in cobra v1.10.
cp -r "$(go mod download -json github.com/spf13/cobra@v1.9.1 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/." .
chmod -R u+w .
