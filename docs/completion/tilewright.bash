# Completion of tilewright's command line for bash. Commands, options and their values come from the help that the
# command prints.                                                                       -*- shell-script -*-

# Prints the lines "  NAME  ..." below the heading $1 of `tilewright --help`, by their names.
_tilewright_listed() {
	"${COMP_WORDS[0]}" --help 2> /dev/null | sed -n "/^$1:/,/^\$/s/^  \([a-z][a-z-]*\) .*/\1/p"
}

# Prints the words that the value $2 of the option $1 can begin with.
_tilewright_values() {
	local kinds=${1#--}s value=${2%'[,...]'}
	case $1 in
	--policy | --against) kinds=policies ;;
	--noise) echo normal: lognormal: measured empirical ;;
	--emulate) echo gpus= ;;
	--platform) echo machine ;;
	--gantt) echo best worst none ;;
	esac
	if [[ $value == *'|'* ]]; then
		echo "${value//|/ }"
	else
		"${COMP_WORDS[0]}" list "$kinds" --names 2> /dev/null
	fi
}

_tilewright() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
	local help value='' before=
	COMPREPLY=()

	# Bash passes --policy=NAME as three words.
	if [[ $current == '=' ]]; then
		current=
	elif [[ $previous == '=' && $COMP_CWORD -ge 3 ]]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	fi

	if [[ $COMP_CWORD -eq 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_tilewright_listed Commands) --help --version" -- "$current")
		return
	fi
	if [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(
			compgen -W "$(_tilewright_listed Commands) $(_tilewright_listed Topics)" -- "$current")
		return
	fi
	help=$("${COMP_WORDS[0]}" help "$command" 2> /dev/null) || return
	if [[ $previous =~ ^--?[a-z-]+$ ]]; then
		value=$(sed -nE "s/^  (-[a-z], )?$previous ([^ ]+).*/\2/p; s/^  $previous, --[a-z-]+ ([^ ]+).*/\1/p" \
			<<< "$help" | head -n 1)
	fi
	if [[ $value ]]; then
		if [[ $value == *'[,...]' && $current == *,* ]]; then
			before=${current%,*},
			current=${current##*,}
		fi
		mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_tilewright_values "$previous" "$value")" -- "$current")
		case $value in
		FILE* | DIR* | FOLDER*) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
		NAME) mapfile -O "${#COMPREPLY[@]}" -t COMPREPLY < <(compgen -d -- "$current") ;;
		*'[,...]' | KEY=*) compopt -o nospace 2> /dev/null ;;
		esac
		return
	fi
	value=$(grep -oE '^  (-[a-z], )?--[a-z-]+' <<< "$help" | grep -oE -- '--[a-z-]+')
	case $command,$COMP_CWORD in
	list,2) value+=' policies evictions workloads platforms engines runtimes' ;;
	list,*) value+=" $("${COMP_WORDS[0]}" list "$previous" --names 2> /dev/null)" ;;
	platform,2) value+=' show detect' ;;
	platform,*) value+=" machine $("${COMP_WORDS[0]}" list platforms --names 2> /dev/null)" ;;
	plot,2) value+=" $(sed -n '/^Figures of/,/^$/s/^  \([a-z]*\) .*/\1/p' <<< "$help")" ;;
	calibration,2) value+=' show' ;;
	import,2) value+=' starpu:' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$value" -- "$current"; compgen -f -- "$current")
}

complete -F _tilewright tilewright
