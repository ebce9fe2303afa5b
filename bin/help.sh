# For the scripts of bin/ that are not Python: the comment at the head of a script is its help. A script that reads
# this file (`.` without arguments) ends here if --help or -h is among its arguments, before it does anything.
help_text() {
   awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

wrong_use() { # MESSAGE
   echo "bin/${0##*/}: $1 (see: bin/${0##*/} --help)" >&2
   exit 2
}

# Files that will be read.
check_files() { # FILE...
   local file
   for file; do
      [[ $file != -* ]] || wrong_use "there is no option $file"
      [ -e "$file" ] || wrong_use "cannot read $file: No such file or directory"
      [ ! -d "$file" ] || wrong_use "cannot read $file: Is a directory"
      [ -r "$file" ] || wrong_use "cannot read $file: Permission denied"
   done
}

for argument; do
   case $argument in
   --help | -h) help_text; exit ;;
   --) break ;;
   esac
done
unset argument
