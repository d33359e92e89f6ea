# Ends the marked processes of a host that is gone. The host writes a line for each mark, `+ mark` and `- mark`; the end of the input is
# the end of the host. A mark is a number, or `-group` for a process group where there are no marks.
trap '' HUP INT QUIT TERM
marks=' '
while read -r sign mark; do
    case $sign in
        +) marks="$marks$mark " ;;
        -)
            case $marks in
                *" $mark "*) marks="${marks%%" $mark "*} ${marks#*" $mark "}" ;;
            esac
            ;;
    esac
done

send() {
    pattern=
    for mark in $marks; do
        case $mark in
            -*) kill "-$1" "$mark" ;;
            *) pattern="$pattern|$mark" ;;
        esac
    done
    [ -n "$pattern" ] || return 0
    grep -lE "^Max file locks +[0-9]+ +(${pattern#|}) " /proc/[0-9]*/limits | while IFS=/ read -r _ _ process _; do
        kill "-$1" "$process"
    done
}

[ "$marks" = ' ' ] && exit
# A kernel that was stopped goes on, and cleans up behind itself like the others.
send CONT
sleep 0.5
# What is started while the table is read is found the next time.
send KILL
send KILL
