# A feature in a Go module: cobra's "completion" command learns --output FILE, with an option that takes it away, docs and a test.
cp -r "$(go mod download -json github.com/spf13/cobra@v1.10.2 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/." .
chmod -R u+w .
