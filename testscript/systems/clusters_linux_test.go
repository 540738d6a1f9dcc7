package systems

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// cluster is a file system for several machines whose servers can run here. They get a network of
// their own, with the address 10.9.0.1, and end with the test.
type cluster struct {
	name    string
	needs   []string // programs
	serve   string   // a shell command that starts the servers, in a folder of their own
	mount   string   // mounts it at mnt, for one client
	restart string   // kills a server, waits for $1 seconds, and starts it
}

var (
	mooseFS = cluster{"MooseFS", []string{"mfsmaster", "mfschunkserver", "mfsmount"}, serveMooseFS,
		mountMooseFS, "pkill -9 mfsmaster; sleep $1; " + untilDone("mfsmaster -c $PWD/master.cfg -a start")}
	glusterFS = cluster{"GlusterFS", []string{"glusterd", "gluster", "glusterfs"}, serveGlusterFS,
		mountGlusterFS, "pkill -9 glusterfsd; sleep $1; " + untilDone("gluster --mode=script volume start vol force")}
	cephFS = cluster{"CephFS", []string{"ceph-mon", "ceph-osd", "ceph-mds", "ceph-fuse", "ceph"}, serveCephFS,
		mountCephFS, "export CEPH_CONF=/run/ceph/ceph.conf; pkill -9 ceph-mds; sleep $1; " + untilDone("ceph-mds -i a")}
)

// untilDone tries to start what may not start until the one before is gone altogether.
func untilDone(command string) string {
	return "for i in 1 2 3 4 5; do " + command + " >>restarted 2>&1 && exit; sleep 1; done; tail restarted; exit 1"
}

const (
	mountMooseFS   = "mfsmount -H 10.9.0.1 -o mfsnice=0 $PWD/mnt >/dev/null 2>&1"
	mountGlusterFS = "glusterfs -s 10.9.0.1 --volfile-id=/vol -l $PWD/gluster.log $PWD/mnt"
	mountCephFS    = "ceph-fuse -c served/ceph.conf mnt >/dev/null 2>&1"
)

// serveMooseFS starts a master and a chunk server, which refuses a master at 127.0.0.1, and waits
// until the second has met the first: until then nothing can be written.
const serveMooseFS = `mkdir meta chunks data probe && cp /var/lib/mfs/metadata.mfs.empty meta/metadata.mfs
printf '* / rw,alldirs,maproot=0\n' >exports.cfg; : >topology.cfg; echo $PWD/data >hdd.cfg
own="WORKING_USER=root WORKING_GROUP=root NICE_LEVEL=0 LOCK_MEMORY=0"
printf '%s\n' $own DATA_PATH=$PWD/meta EXPORTS_FILENAME=$PWD/exports.cfg TOPOLOGY_FILENAME=$PWD/topology.cfg >master.cfg
printf '%s\n' $own DATA_PATH=$PWD/chunks HDD_CONF_FILENAME=$PWD/hdd.cfg MASTER_HOST=10.9.0.1 BIND_HOST=10.9.0.1 >chunk.cfg
mfsmaster -c $PWD/master.cfg start && mfschunkserver -c $PWD/chunk.cfg start && mfsmount -H 10.9.0.1 -o mfsioretries=3 $PWD/probe || exit
for i in $(seq 30); do dd if=/dev/zero of=probe/x bs=1 count=1 conv=fsync && break; sleep 1; done
rm probe/x && umount probe`

// serveGlusterFS hides the folders that belong to the machine's own GlusterFS.
const serveGlusterFS = `mkdir brick && for d in /var/lib/glusterd /var/log/glusterfs /run; do mount -t tmpfs none $d || exit; done
glusterd || exit
for i in 1 2 3 4 5 6 7 8 9 10; do gluster --mode=script volume create vol 10.9.0.1:$PWD/brick force && break; sleep 1; done
gluster --mode=script volume start vol`

// serveCephFS keeps the files in memory, as one copy, and needs no keys. Settings that are paths
// take a comma for the end of one, and folders of tests have commas in their names. What a client
// asks about a file that another one has just replaced may wait for the next tick of an idle metadata
// server, which is 5 s by default.
const serveCephFS = `set -e; clients=$PWD; mount -t tmpfs none /run; mkdir /run/ceph; cd /run/ceph; mkdir mon osd mds
cat >ceph.conf <<C
[global]
fsid = 00000000-0000-0000-0000-000000000001
mon_host = 10.9.0.1
mon_initial_members = a
ms_bind_msgr1 = false
public_network = 10.9.0.1/32
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_objectstore = memstore
memstore_device_bytes = 1G
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
mds_tick_interval = 0.1
mds_beacon_interval = 0.5
mds_beacon_grace = 3
mds_reconnect_timeout = 3
log_file = /dev/null
admin_socket = ""
mon_data = /run/ceph/mon
osd_data = /run/ceph/osd
mds_data = /run/ceph/mds
keyring = /run/ceph/keyring
C
cp ceph.conf "$clients"; export CEPH_CONF=/run/ceph/ceph.conf
ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mds 'allow *'
monmaptool --create --fsid 00000000-0000-0000-0000-000000000001 --addv a [v2:10.9.0.1:3300] monmap
ceph-mon --mkfs -i a --monmap monmap --keyring keyring
ceph-mon -i a
ceph osd new 00000000-0000-0000-0000-000000000002
ceph-osd -i 0 --mkfs --osd-uuid 00000000-0000-0000-0000-000000000002
ceph-osd -i 0
ceph osd pool create m 8
ceph osd pool create d 8
ceph fs new fs m d
ceph-mds -i a
for i in $(seq 30); do ! ceph mds stat | grep -q up:active || break; sleep 1; done
ceph mds stat | grep up:active`

// missing is a program that the cluster needs and that isn't installed; "" if all are.
func (c *cluster) missing() string {
	for _, name := range c.needs {
		if _, err := exec.LookPath(name); err != nil {
			return name
		}
	}
	return ""
}

// row is the cluster in the table of all file systems.
func (c *cluster) row() system { return system{name: c.name, mount: c.mount, cluster: c} }

// shared is the cluster with n clients, each a mount of its own.
func (c *cluster) shared(n int) sharedMount {
	number := map[int]string{2: "two", 4: "four"}[n]
	m := sharedMount{name: c.name + ", " + number + " clients", needs: c.needs[0], restart: c.restart, cluster: c}
	for range n {
		m.mounts = append(m.mounts, c.mount)
	}
	return m
}

// ahead has two clients, of which one has a clock that is a minute ahead. Those of GlusterFS say
// when a file was changed. The program faketime waits for what it starts, and hangs.
func (c *cluster) ahead() sharedMount {
	m := c.shared(2)
	m.name, m.needs = m.name+", one a minute ahead", "faketime"
	m.mounts[0] = "env LD_PRELOAD=$(echo /usr/lib/*/faketime/libfaketimeMT.so.1) FAKETIME=+60s FAKETIME_DONT_FAKE_MONOTONIC=1 " + c.mount
	return m
}

// servers are those of a cluster that run. A nil one has no network of its own.
type servers struct {
	cmd     *exec.Cmd
	dir     string
	clients []*exec.Cmd // each has a network of its own
}

// start starts the servers. They end when the test does, and when the test is killed: then their
// standard input is closed.
func (c *cluster) start(t *testing.T, base string) *servers {
	if c == nil {
		return nil
	}
	if name := c.missing(); name != "" {
		t.Skipf("%s: needs %s", c.name, name)
	}
	s := &servers{dir: base + "/served"}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const address = "ip link set lo up && ip addr add 10.9.0.1 dev lo && "
	s.cmd = unshared(t, s.dir, address+"{ "+c.serve+"\n} >log 2>&1 && echo started && cat || tail -n 20 log", "--net")
	hold, _ := s.cmd.StdinPipe()
	told, _ := s.cmd.StdoutPipe()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		hold.Close()
		_ = s.cmd.Wait()
	})
	text := make([]byte, 4096)
	if n, err := told.Read(text); err != nil || string(text[:n]) != "started\n" {
		t.Fatalf("%s: %v: %s", c.name, err, text[:n])
	}
	return s
}

// connect makes a network for each of n clients, as the virtual machine of .ci/vm has them: a client
// reaches the servers through an interface that is v1, v2 and so on among them.
func (s *servers) connect(t *testing.T, n int) {
	if s == nil {
		return
	}
	for i := range n {
		c := exec.CommandContext(t.Context(), "unshare", "--net", "sh", "-c", "ip link set lo up && echo started && cat")
		hold, _ := c.StdinPipe()
		told, _ := c.StdoutPipe()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			hold.Close()
			_ = c.Wait()
		})
		_, _ = told.Read(make([]byte, len("started\n")))
		s.clients = append(s.clients, c)
		const link = `ip link add v$1 type veth peer name e$1 netns $2 && ip addr add 10.9.$1.1/24 dev v$1 && ip link set v$1 up &&
			nsenter --net=/proc/$2/ns/net sh -c "ip addr add 10.9.$1.2/24 dev e$1 && ip link set e$1 up && ip route add default via 10.9.$1.1"`
		cmd := s.enter(exec.Command("sh", "-c", link, "sh", strconv.Itoa(i+1), strconv.Itoa(c.Process.Pid)), network)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// ofClient has a command run in the network of a client.
func (s *servers) ofClient(i int, cmd *exec.Cmd) *exec.Cmd {
	if s == nil || s.clients == nil {
		return s.enter(cmd, network)
	}
	return (&servers{cmd: s.clients[i]}).enter(cmd, network)
}

// enter has a command run in the network of the servers, or where they are altogether.
func (s *servers) enter(cmd *exec.Cmd, where ...string) *exec.Cmd {
	if s == nil {
		return cmd
	}
	args := []string{"nsenter"}
	for _, of := range where {
		args = append(args, fmt.Sprintf(of, s.cmd.Process.Pid))
	}
	path, _ := exec.LookPath("nsenter")
	cmd.Path, cmd.Args = path, append(args, cmd.Args...)
	return cmd
}

// What can be entered.
const (
	network   = "--net=/proc/%d/ns/net"
	mounts    = "--mount=/proc/%d/ns/mnt"
	processes = "--pid=/proc/%d/ns/pid_for_children"
)
