# bash completion for docfuse

_docfuse() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path='' first=1 option='' skip='' word
  COMPREPLY=()
  # bash splits --mode=keyword at the sign, unless COMP_WORDBREAKS was changed.
  if [[ $current == --*=* ]]; then
    previous="${current%%=*}" option="${current%%=*}=" current="${current#*=}"
  elif [[ $current == '=' ]]; then current=''; elif [[ $previous == '=' ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
  # Finds the command in the words so far. The first word that is not a command ends the search.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      --index|--config|--set|--color|--top-n|-n|--mode|--collection|--path|--exclude|--tag|--category|--author|--after|--before|--lang|--where|--min-confidence|--per-document|--preset|--hypothesis|--open|--limit|--start-line|--end-line|--max-chars|--depth|--direction|--sort|--limit|-n|--cursor|--grades|--documents|--set-folder|--modes|--docs|--run|--compare|--report|--folds|--seed|--max-pages|--file|--client|--name|--port|--host|--token|--log-format|--query) skip=1 ;;
      -*) ;;
      *)
        if [[ -z $first ]]; then continue; fi
        case $path/$word in
          /search|/ask|/index|/read|/related|/list|/list/tags|/list/collections|/list/judged|/graph|/map|/export|/status|/audit|/doctor|/formats|/config|/config/init|/judge|/eval|/tune|/indexes|/indexes/rm|/add|/sites|/sites/rm|/models|/models/list|/models/pull|/models/rm|/models/path|/mcp|/mcp/install|/serve|/open|/worker|/version|/completion|/help|/help/search|/help/ask|/help/index|/help/read|/help/related|/help/list|/help/list/tags|/help/list/collections|/help/list/judged|/help/graph|/help/map|/help/export|/help/status|/help/audit|/help/doctor|/help/formats|/help/config|/help/config/init|/help/judge|/help/eval|/help/tune|/help/indexes|/help/indexes/rm|/help/add|/help/sites|/help/sites/rm|/help/models|/help/models/list|/help/models/pull|/help/models/rm|/help/models/path|/help/mcp|/help/mcp/install|/help/serve|/help/open|/help/worker|/help/version|/help/completion) path=$path/$word ;;
          *) first='' ;;
        esac ;;
    esac
  done
  case $path in
    '') _docfuse_complete 'search ask index read related list graph map export status audit doctor formats config judge eval tune indexes add sites models mcp serve open worker version completion help' '--version --index --config --set --no-server --json --quiet --debug --color --no-color --help' '' ;;
    /search) _docfuse_complete '' '--top-n --mode --collection --path --exclude --tag --category --author --after --before --lang --where --min-confidence --per-document --no-parents --preset --no-rerank --explain --no-sync --no-wait --hypothesis --everywhere --new-index --files --context --jsonl --exit-status --open --limit --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /ask) _docfuse_complete '' '--top-n --collection --path --exclude --tag --category --author --after --before --lang --where --min-confidence --preset --no-rerank --no-sync --no-wait --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /index) _docfuse_complete '' '--rebuild --no-embed --purge --dry-run --new-index --watch --poll --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /read) _docfuse_complete '' '--start-line --end-line --max-chars --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /related) _docfuse_complete '' '--depth --direction --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /list) _docfuse_complete 'tags collections judged' '--collection --path --exclude --tag --category --author --after --before --lang --where --sort --limit --cursor --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /list/tags) _docfuse_complete '' '--collection --path --exclude --tag --category --author --after --before --lang --where --limit --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /list/collections) _docfuse_complete '' '--new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /list/judged) _docfuse_complete '' '--new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /graph) _docfuse_complete '' '--collection --path --exclude --tag --category --author --after --before --lang --where --limit --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /map) _docfuse_complete '' '--collection --path --exclude --tag --category --author --after --before --lang --where --limit --no-wait --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /export) _docfuse_complete '' '--vectors --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /status) _docfuse_complete '' '--new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /audit) _docfuse_complete '' '--collection --path --exclude --tag --category --author --after --before --lang --where --limit --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /doctor) _docfuse_complete '' '--new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /formats) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /config) _docfuse_complete 'init' '--schema --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /config/init) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' 'paths' ;;
    /judge) _docfuse_complete '' '--top-n --grades --documents --unanswerable --remove --collection --set-folder --new-index --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /eval) _docfuse_complete '' '--modes --docs --run --compare --report --min-confidence --collect --top-n --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /tune) _docfuse_complete '' '--docs --folds --seed --write --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /indexes) _docfuse_complete 'rm' '--json --quiet --debug --color --no-color --help' '' ;;
    /indexes/rm) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /add) _docfuse_complete '' '--max-pages --json --quiet --debug --color --no-color --help' '' ;;
    /sites) _docfuse_complete 'rm' '--json --quiet --debug --color --no-color --help' '' ;;
    /sites/rm) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /models) _docfuse_complete 'list pull rm path' '--json --quiet --debug --color --no-color --help' '' ;;
    /models/list) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /models/pull) _docfuse_complete '' '--file --offline --json --quiet --debug --color --no-color --help' '' ;;
    /models/rm) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /models/path) _docfuse_complete '' '--json --quiet --debug --color --no-color --help' '' ;;
    /mcp) _docfuse_complete 'install' '--index --config --set --no-server --quiet --debug --color --no-color --help' 'paths' ;;
    /mcp/install) _docfuse_complete '' '--client --name --write --index --config --set --no-server --json --quiet --debug --color --no-color --help' 'paths' ;;
    /serve) _docfuse_complete '' '--port --host --token --judge --metrics --log-format --poll --index --config --set --json --quiet --debug --color --no-color --help' 'paths' ;;
    /open) _docfuse_complete '' '--query --no-browser --port --index --config --set --json --quiet --debug --color --no-color --help' 'paths' ;;
    /worker) _docfuse_complete '' '--once --index --config --set --quiet --debug --color --no-color --help' '' ;;
    /version) _docfuse_complete '' '--quiet --debug --color --no-color --help' '' ;;
    /completion) _docfuse_complete 'bash zsh fish' '--quiet --debug --color --no-color --help' '' ;;
    /help) _docfuse_complete 'search ask index read related list graph map export status audit doctor formats config judge eval tune indexes add sites models mcp serve open worker version completion' '' '' ;;
    /help/list) _docfuse_complete 'tags collections judged' '' '' ;;
    /help/config) _docfuse_complete 'init' '' '' ;;
    /help/indexes) _docfuse_complete 'rm' '' '' ;;
    /help/sites) _docfuse_complete 'rm' '' '' ;;
    /help/models) _docfuse_complete 'list pull rm path' '' '' ;;
    /help/mcp) _docfuse_complete 'install' '' '' ;;
  esac
  if [[ -n $option ]]; then COMPREPLY=("${COMPREPLY[@]/#/$option}"); fi
}

# $1 words for the first argument, $2 options, $3 not empty if paths may follow. The value of an option is tried first.
_docfuse_complete() {
  case $previous in
    --index) _docfuse_files; return ;;
    --config) _docfuse_files; return ;;
    --set) :; return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$current")); return ;;
    --top-n|-n) :; return ;;
    --mode) COMPREPLY=($(compgen -W 'hybrid semantic keyword code' -- "$current")); return ;;
    --collection) :; return ;;
    --path) _docfuse_files; return ;;
    --exclude) _docfuse_files; return ;;
    --tag) :; return ;;
    --category) :; return ;;
    --author) :; return ;;
    --after) :; return ;;
    --before) :; return ;;
    --lang) :; return ;;
    --where) :; return ;;
    --min-confidence) :; return ;;
    --per-document) :; return ;;
    --preset) COMPREPLY=($(compgen -W 'general api notes research' -- "$current")); return ;;
    --hypothesis) :; return ;;
    --open) :; return ;;
    --limit) :; return ;;
    --start-line) :; return ;;
    --end-line) :; return ;;
    --max-chars) :; return ;;
    --depth) :; return ;;
    --direction) COMPREPLY=($(compgen -W 'out in both' -- "$current")); return ;;
    --sort) COMPREPLY=($(compgen -W 'path title date' -- "$current")); return ;;
    --limit|-n) :; return ;;
    --cursor) :; return ;;
    --grades) COMPREPLY=($(compgen -W '0 1 2 -' -- "$current")); return ;;
    --documents) :; return ;;
    --set-folder) _docfuse_files; return ;;
    --modes) COMPREPLY=($(compgen -W 'hybrid semantic keyword code' -- "$current")); return ;;
    --docs) _docfuse_files; return ;;
    --run) _docfuse_files; return ;;
    --compare) _docfuse_files; return ;;
    --report) _docfuse_files; return ;;
    --folds) :; return ;;
    --seed) :; return ;;
    --max-pages) :; return ;;
    --file) :; return ;;
    --client) COMPREPLY=($(compgen -W 'claude-desktop claude-code cursor vscode windsurf zed codex gemini-cli copilot-cli opencode' -- "$current")); return ;;
    --name) :; return ;;
    --port) :; return ;;
    --host) :; return ;;
    --token) :; return ;;
    --log-format) COMPREPLY=($(compgen -W 'text json' -- "$current")); return ;;
    --query) :; return ;;
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$2" -- "$current")); return; fi
  if [[ -n $first ]]; then COMPREPLY=($(compgen -W "$1" -- "$current")); fi
  if [[ -n $3 ]]; then _docfuse_files; fi
}

_docfuse_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen -f -- "$current"))
}

complete -F _docfuse docfuse
