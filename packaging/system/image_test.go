package system

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// TestImage makes the image as packaging/Dockerfile says, without a daemon, and runs what is in it,
// with the image as its root folder: nothing but the binary is there, and nothing else is needed.
func TestImage(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("the image is for Linux, and only root can give it a root directory")
	}
	binary := filepath.Join(t.TempDir(), "fsbox")
	t.Setenv("CGO_ENABLED", "0")
	run(t, "go", "build", "-C", repository, "-o", binary, ".")
	image := built(t, binary)
	root := unpacked(t, image)
	file, err := image.ConfigFile()
	check(t, err)
	check(t, os.MkdirAll(filepath.Join(root, file.Config.WorkingDir), 0o755))
	for _, call := range []struct{ args, shows string }{
		{"write a.txt --content one --allow-write --format text", "created \"a.txt\""},
		{"grep one --format text", "a.txt\n1:one\n"},
		{"undo --allow-write --format text", "undid write"},
	} {
		cmd := exec.Command(file.Config.Entrypoint[0], strings.Fields(call.args)...)
		cmd.Dir, cmd.Env = file.Config.WorkingDir, file.Config.Env
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), call.shows) {
			t.Errorf("%s: %v\n%s", call.args, err, out)
		}
	}
}

// built follows the Dockerfile, as far as ours goes.
func built(t *testing.T, binary string) v1.Image {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(repository, "packaging", "Dockerfile"))
	check(t, err)
	image, config := empty.Image, v1.Config{}
	for line := range strings.Lines(string(source)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#", "ARG":
		case "FROM":
			if rest != "scratch" {
				t.Fatalf("the image begins with %s, not with nothing", rest)
			}
		case "COPY":
			_, to, _ := strings.Cut(rest, " ")
			layer, err := tarball.LayerFromReader(bytes.NewReader(archive(t, binary, to)))
			check(t, err)
			image, err = mutate.AppendLayers(image, layer)
			check(t, err)
		case "WORKDIR":
			config.WorkingDir = rest
		case "ENV":
			config.Env = append(config.Env, rest)
		case "ENTRYPOINT":
			check(t, json.Unmarshal([]byte(rest), &config.Entrypoint))
		default:
			t.Fatalf("the test doesn't know %s", word)
		}
	}
	image, err = mutate.Config(image, config)
	check(t, err)
	return image
}

// archive has one program.
func archive(t *testing.T, program, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(program)
	check(t, err)
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	check(t, w.WriteHeader(&tar.Header{Name: strings.TrimPrefix(name, "/"), Mode: 0o755, Size: int64(len(content))}))
	_, err = w.Write(content)
	check(t, errors.Join(err, w.Close()))
	return out.Bytes()
}

// unpacked is a folder with the files of an image: one.
func unpacked(t *testing.T, image v1.Image) (root string) {
	t.Helper()
	root = t.TempDir()
	stream := mutate.Extract(image)
	defer stream.Close()
	names := []string{}
	for r := tar.NewReader(stream); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		check(t, err)
		names = append(names, header.Name)
		content, err := io.ReadAll(r)
		check(t, errors.Join(err, os.WriteFile(filepath.Join(root, filepath.Base(header.Name)), content, header.FileInfo().Mode())))
	}
	if len(names) != 1 || filepath.Base(names[0]) != "fsbox" {
		t.Errorf("the image holds %q", names)
	}
	return root
}
