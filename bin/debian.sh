# Functions for bin/peers and bin/headers, which set $program: fetch Debian's packages without changing the system.
# apt uses its own lists, folders and configuration, and checks signatures with the keyring of Debian's archive.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# A line on a terminal that the next one replaces; without words it goes.
progress() { # [WORD...]
   [ ! -t 2 ] || printf '\r\033[K%s' "$*" >&2
}

stop() { # STATUS MESSAGE
   progress
   echo "$program: $2" >&2
   exit "$1"
}

# Stops where apt and the keyring are missing.
need_apt() {
   local tool
   for tool in apt-get apt-config dpkg-deb tar flock; do
      command -v "$tool" >/dev/null || stop 1 "there is no $tool here: a machine with Debian's apt is needed"
   done
   [ -r "$keyring" ] || stop 1 "cannot read $keyring: apt-get install debian-archive-keyring"
}

# Debian's archive as this machine reaches it, and then the one that INDIUM_MIRROR names.
mirrors() {
   local codename format='$(RELEASE) $(COMPONENT) $(REPO_URI)'
   codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
   { apt-get indextargets --format "$format" 'Identifier: Packages' 2>/dev/null || true; } |
      awk -v release="$codename" '$1 == release && $2 == "main" && !seen[$3]++ { print $3 }'
   echo "${INDIUM_MIRROR-}"
}

# What apt reads in place of the system's configuration, of which stays how to reach servers.
configure() { # WORK MIRROR SUITE...
   mkdir -p "$1"/{lists,cache/archives}/partial
   touch "$1/status"
   { apt-config dump | grep '^Acquire::' || true; } >"$1/apt.conf"
   cat >>"$1/apt.conf" <<END
Dir::Etc::Main "/dev/null"; Dir::Etc::Parts "/dev/null";
Dir::Etc::SourceList "$1/sources.list"; Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null"; Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$1"; Dir::State::Lists "$1/lists"; Dir::State::Status "$1/status"; Dir::Cache "$1/cache";
Dir::Log "$1";
APT::Architecture "amd64"; APT::Architectures { "amd64"; };
APT::Install-Recommends "false"; APT::Sandbox::User "$(id -un)"; APT::Update::Error-Mode "any";
END
   printf "deb [signed-by=$keyring] $2 %s main\n" "${@:3}" >"$1/sources.list"
}

failed() { # NAME WHAT LOG
   stop 1 "$1: $2$(grep -m1 '^E:' "$3" || tail -n1 "$3")"
}

# Makes folder WORK with the lists of these suites, from the first mirror that answers.
fetch_lists() { # NAME WORK SUITE...
   local mirror
   [ "$(mirrors)" ] || stop 1 "$1: apt has no archive of this Debian: name one, INDIUM_MIRROR=http://HOST/debian/"
   for mirror in $(mirrors); do
      rm -rf "$2"
      configure "$2" "$mirror" "${@:3}"
      APT_CONFIG=$2/apt.conf apt-get -qq update 2>"$2/log" && return
   done
   failed "$1" 'no list of packages: ' "$2/log"
}

# Name, version and architecture of each package and of what it depends on: into WORK/versions.
find_versions() { # NAME WORK SUITE PACKAGE...
   APT_CONFIG=$2/apt.conf apt-get -qq -y --print-uris -t "$3" install "${@:4}" 2>"$2/log" |
      sed -E "s/^'[^']*' ([^_]*)_([^_]*)_([^.]*)\.deb .*/\1 \2 \3/; s/%3a/:/g" | sort >"$2/versions" ||
      failed "$1" '' "$2/log"
}

# Downloads them to WORK/cache/archives.
download() { # NAME WORK SUITE PACKAGE...
   APT_CONFIG=$2/apt.conf apt-get -qq -y --download-only -t "$3" install "${@:4}" >/dev/null 2>"$2/log" ||
      failed "$1" '' "$2/log"
}

# The same without what they depend on; into WORK/versions what was downloaded.
download_only() { # NAME WORK PACKAGE...
   (cd "$2/cache/archives" && APT_CONFIG=$2/apt.conf apt-get -qq download "${@:3}") >/dev/null 2>"$2/log" ||
      failed "$1" '' "$2/log"
   (cd "$2/cache/archives" && printf '%s\n' *.deb) |
      sed -E 's/^([^_]*)_([^_]*)_([^.]*)\.deb$/\1 \2 \3/; s/%3a/:/g' >"$2/versions"
}

# Unpacks a package without what only people read.
unpack_package() { # DEB TARGET
   dpkg-deb --fsys-tarfile "$1" |
      tar -x -C "$2" --keep-directory-symlink --no-same-owner --exclude='./usr/share/'{bug,doc,lintian,locale,man}
}

version_in() { # FILE_OF_VERSIONS PACKAGE
   sed -n "s/^$2 \([^ ]*\) .*/\1/p" "$1"
}
