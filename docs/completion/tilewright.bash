# Completion of tilewright's command line for bash.                                                    -*- shell-script -*-

# Completes the last name in the comma-separated list $1, from the remaining arguments.
_tilewright_list() {
	local current=$1 before=
	shift
	[[ $current == *,* ]] && before=${current%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "${current##*,}")
	compopt -o nospace 2> /dev/null
}

_tilewright_names() {
	"${COMP_WORDS[0]}" list "$1" --names 2> /dev/null
}

_tilewright() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
	COMPREPLY=()

	# Bash passes --policy=NAME as three words.
	if [[ $current == '=' ]]; then
		current=
	elif [[ $previous == '=' && $COMP_CWORD -ge 3 ]]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	fi

	if [[ $COMP_CWORD -eq 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'run sweep list platform plot export import calibrate calibration bounds compare report explain diff describe validate validate-model help --help --version' -- "$current")
		return
	fi
	case $previous in
	--platform)
		if [[ $command == sweep ]]; then
			_tilewright_list "$current" "$(_tilewright_names platforms) machine"
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W "$(_tilewright_names platforms) machine" -- "$current"; compgen -d -- "$current")
		return
		;;
	--workload)
		_tilewright_list "$current" "$(_tilewright_names workloads)"
		return
		;;
	--policy)
		_tilewright_list "$current" "$(_tilewright_names policies)"
		return
		;;
	--eviction)
		_tilewright_list "$current" "$(_tilewright_names evictions)"
		return
		;;
	--engine)
		mapfile -t COMPREPLY < <(compgen -W "$(_tilewright_names engines)" -- "$current")
		return
		;;
	--runtime)
		if [[ $command == sweep ]]; then
			_tilewright_list "$current" "$(_tilewright_names runtimes)"
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W "$(_tilewright_names runtimes)" -- "$current")
		return
		;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W 'text json csv' -- "$current")
		return
		;;
	--learn)
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		return
		;;
	--output | --trace | --picture | --plot | --hwloc-xml | -o)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return
		;;
	--check)
		mapfile -t COMPREPLY < <(compgen -W 'full residual none' -- "$current")
		return
		;;
	--emulate)
		mapfile -t COMPREPLY < <(compgen -W 'gpus= gpus=2:mem=256MiB:bandwidth=2GB/s' -- "$current")
		compopt -o nospace 2> /dev/null
		return
		;;
	--communication)
		if [[ $command == sweep ]]; then
			_tilewright_list "$current" on off
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$current")
		return
		;;
	--colours)
		mapfile -t COMPREPLY < <(compgen -W 'light paper' -- "$current")
		return
		;;
	--noise)
		if [[ $command == sweep ]]; then
			_tilewright_list "$current" normal: lognormal: measured empirical
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W 'normal: lognormal: measured empirical' -- "$current")
		return
		;;
	--cpus | --gpus | --cpu-groups | --gpu-mem | --mem | --seed | --repeat | --belief-error | --speedup | --kernel | --name | --time-limit | --nt | --nb | --jobs | --shard | --rounds | --milp-time | --iterations | --workers | --per-colour) return ;;
	esac
	case $command in
	run)
		mapfile -t COMPREPLY < <(compgen -W '--platform --workload --policy --eviction --cpus --gpus --cpu-groups --gpu-mem
			--mem --communication --engine --emulate --check --learn --runtime --seed --repeat --noise --belief-error --default-seconds --speedup --extrapolate --validate --time-limit --jobs --trace --explain --format --columns --output --help' -- "$current")
		;;
	sweep)
		mapfile -t COMPREPLY < <(compgen -W '--platform --workload --nt --nb --policy --eviction --cpus --gpus --cpu-groups --gpu-mem
			--mem --communication --engine --emulate --check --runtime --seed --repeat --noise --belief-error --default-seconds --speedup --extrapolate --validate --time-limit --output --columns --jobs --shard
			--retry --dry-run --quiet --help' -- "$current"; compgen -f -- "$current")
		;;
	list)
		case $previous in
		policies | evictions | workloads | platforms | engines | runtimes)
			mapfile -t COMPREPLY < <(compgen -W "--names $(_tilewright_names "$previous")" -- "$current")
			;;
		*)
			mapfile -t COMPREPLY < <(compgen -W 'policies evictions workloads platforms engines runtimes --names --help' \
				-- "$current")
			;;
		esac
		;;
	platform)
		if [[ $COMP_CWORD -eq 2 ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'show detect --help' -- "$current")
		elif [[ ${COMP_WORDS[2]} == detect ]]; then
			mapfile -t COMPREPLY < <(compgen -W '--output --name --hwloc-xml --force --help' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W "--picture --help $(_tilewright_names platforms) machine" -- "$current"; compgen -d -- "$current")
		fi
		;;
	plot)
		if [[ $COMP_CWORD -eq 2 ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'gantt order gflops transfers ratio counters bars cloud best validation --help' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W '--output --x --where --facet --title --size --font --legend --yrange --names --no-bounds --counter --metric --keep-script --iterations --workers --workload --per-colour --colours --explain --fold --help' -- "$current"; compgen -f -- "$current")
		fi
		;;
	export) mapfile -t COMPREPLY < <(compgen -W '--workload --output --default-seconds --help' -- "$current") ;;
	import) mapfile -t COMPREPLY < <(compgen -W 'starpu: --output --force --help' -- "$current") ;;
	calibrate)
		mapfile -t COMPREPLY < <(compgen -W '--output --workload --emulate --cpus --gpus --cpu-groups --time-limit --seed --force --quiet --help' -- "$current")
		;;
	calibration)
		if [[ $COMP_CWORD -eq 2 ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'show --help' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W '--platform --learn --kernel --help' -- "$current")
		fi
		;;
	bounds)
		mapfile -t COMPREPLY < <(compgen -W '--platform --workload --cpus --gpus --cpu-groups --gpu-mem --default-seconds --speedup --extrapolate --rounds --milp-time --format --help' -- "$current")
		;;
	explain)
		mapfile -t COMPREPLY < <(compgen -W '--chain --format --help' -- "$current"; compgen -f -- "$current")
		;;
	describe)
		mapfile -t COMPREPLY < <(compgen -W '--workload --platform --default-seconds --speedup --extrapolate --exact --format --help' -- "$current"; compgen -f -- "$current")
		;;
	compare) mapfile -t COMPREPLY < <(compgen -W '--metric --tolerance --ignore --policy --column --value --scale --where --format --columns --plot --help' -- "$current"; compgen -f -- "$current") ;;
	diff) mapfile -t COMPREPLY < <(compgen -W '--format --help' -- "$current"; compgen -f -- "$current") ;;
	report)
		if [[ $previous == --gantt ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'best worst none' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W '--output --gantt --where --help' -- "$current"; compgen -f -- "$current")
		fi
		;;
	validate) mapfile -t COMPREPLY < <(compgen -W '--help' -- "$current"; compgen -f -- "$current") ;;
	validate-model)
		mapfile -t COMPREPLY < <(compgen -W '--platform --workload --policy --output --gpu-mem --eviction --engine --emulate --cpus --gpus --repeat --off-cpu --seed --format --columns --retry --force --quiet --help' -- "$current")
		;;
	help) mapfile -t COMPREPLY < <(compgen -W 'run sweep list platform plot export import calibrate calibration bounds compare report explain diff describe validate validate-model evictions memory noise nvlink platforms policies prefetch priorities results runtime traces units workloads' -- "$current") ;;
	esac
}

complete -F _tilewright tilewright
