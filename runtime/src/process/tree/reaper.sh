# Ends the marked processes of a host that is gone, and removes its private files. The host writes a line for each, `+ mark` and `- mark`;
# the end of the input is the end of the host. A mark is a number, `-group` for a process group where there are no marks, or the path of a
# private file or directory.
trap '' HUP INT QUIT TERM
newline='
'
marks=$newline
while IFS=' ' read -r sign mark; do
    case $sign in
        +) marks="$marks$mark$newline" ;;
        -)
            case $marks in
                *"$newline$mark$newline"*)
                    marks="${marks%%"$newline$mark$newline"*}$newline${marks#*"$newline$mark$newline"}"
                    ;;
            esac
            ;;
    esac
done
[ "$marks" = "$newline" ] && exit

send() {
    pattern=
    for mark in $marks; do
        case $mark in
            /*) ;;
            -*) kill "-$1" "$mark" ;;
            *) pattern="$pattern|$mark" ;;
        esac
    done
    [ -n "$pattern" ] || return 0
    set +f
    grep -lE "^Max file locks +[0-9]+ +(${pattern#|}) " /proc/[0-9]*/limits | while IFS=/ read -r _ _ process _; do
        kill "-$1" "$process"
    done
    set -f
}

# Marks are split at the ends of lines, and a path is no pattern.
IFS=$newline
set -f
# A kernel that was stopped goes on, and cleans up behind itself like the others.
send CONT
sleep 0.5
# What is started while the table is read is found the next time.
send KILL
send KILL
# None of them writes there any more.
for mark in $marks; do
    case $mark in
        /*/hermes[_-]*) rm -rf -- "$mark" ;;
    esac
done
