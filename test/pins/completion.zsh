#compdef docfuse
# zsh completion for docfuse

_docfuse() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '(--version -V)'{--version,-V}'[print the version]' \
    '*--index=[folder of the index, never among your documents]:value:_files' \
    '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
    '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
    '--no-server[do not use a running server of the same index]' \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'search:find the passages that answer a query'
        'ask:answer a question from the documents, with citations'
        'index:build the index or bring it up to date'
        'read:print a document, or lines of it'
        'related:show documents that are linked with a document or similar to it'
        'list:list the documents of the index'
        'graph:show which documents are linked, the most linked first'
        'map:show linked documents as a map of communities'
        'export:write a static web page that searches and shows the documents'
        'status:show what the index holds and how fresh it is'
        'audit:list broken links, copies, and the documents with the most passages'
        'doctor:check configuration, index, model and a query, and say how to fix each problem'
        'formats:list the kinds of files that are read, and the packages that some of them need'
        'config:show the settings in effect, and where each comes from'
        'judge:judge what a query finds, for eval and tune'
        'eval:measure search quality and speed on judged queries'
        'tune:fit weights and calibration to judged queries'
        'indexes:list the indexes on this machine'
        'add:fetch the pages of a web site to search them, or bring them up to date'
        'sites:list the web sites that were added'
        'models:keep models from the hub on this machine'
        'mcp:serve an assistant over MCP'
        'serve:serve an index to many clients over HTTP'
        'open:open the page of an index in your browser'
        'worker:embed passages that other machines index'
        'version:print the version'
        'completion:print a completion script for a shell'
        'help:print help for a command'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        search)
          _arguments \
            '*'{--top-n=,-n+}'[hits to return, 1–100 (default\: 5)]:value:' \
            '*--mode=[search mode (default\: hybrid)]:value:(hybrid semantic keyword code)' \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*--min-confidence=[leave out passages below this confidence, 0–1 (default\: 0.24). By default, some unsure passages are shown separately]:value:' \
            '*--per-document=[max hits from one document, 1–100 (default\: search.max_chunks_per_doc)]:value:' \
            '--no-parents[do not show each hit as the larger section around it]' \
            '*--preset=[settings for a kind of documents (default\: general, which changes no settings)]:value:(general api notes research)' \
            '--no-rerank[do not reorder the first hits by the reranking model, if search.rerank_enabled is true]' \
            '--explain[explain how each score was computed]' \
            '--no-sync[do not bring the index up to date first]' \
            '--no-wait[do not wait until new passages can be found by meaning too]' \
            '*--hypothesis=[a possible answer\: find passages close in meaning to this text]:value:' \
            '--everywhere[search all indexes on this machine, without updating them]' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '--files[print only the paths of the documents, best first]' \
            '--context[print whole passages with numbered citations path\:start-end, ready to paste into a prompt]' \
            '--jsonl[print JSON, one hit a line]' \
            '--exit-status[exit with code 1 if there is no hit, as grep does]' \
            '*--open=[open the first hit, or the hit with this number, in $VISUAL or $EDITOR]:value:' \
            '*--limit=[like --top-n]:value:' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        ask)
          _arguments \
            '*'{--top-n=,-n+}'[passages to answer from, 1–100 (default\: 5)]:value:' \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*--min-confidence=[min confidence of the passages to answer from, 0–1 (default\: 0.24)]:value:' \
            '*--preset=[settings for a kind of documents (default\: general, which changes no settings)]:value:(general api notes research)' \
            '--no-rerank[do not reorder the first hits by the reranking model, if search.rerank_enabled is true]' \
            '--no-sync[do not bring the index up to date first]' \
            '--no-wait[do not wait until new passages can be found by meaning too]' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        index)
          _arguments \
            '--rebuild[read all files into a new index; undamaged vectors are kept]' \
            '--no-embed[do not make vectors for new passages]' \
            '--purge[erase all remains of removed text. Takes about as long as indexing without vectors]' \
            '--dry-run[show what would be done, and change nothing]' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '--watch[keep running and follow changes of the files]' \
            '--poll[compare all files every 5 s instead of waiting for change events; implies --watch]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        read)
          _arguments \
            '*--start-line=[first line, from 1 (default\: the first of the text)]:value:' \
            '*--end-line=[last line, inclusive (default\: the last of the text)]:value:' \
            '*--max-chars=[max characters of text; it is cut at the end of a line]:value:' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        related)
          _arguments \
            '*--depth=[links to follow, 1–3 (default\: 1)]:value:' \
            '*--direction=[links of the document, links to it, or both (default\: both)]:value:(out in both)' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        list)
          _docfuse_list
          ;;
        graph)
          _arguments \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*'{--limit=,-n+}'[max documents, 1–5000 (default\: 500)]:value:' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        map)
          _arguments \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*'{--limit=,-n+}'[max documents, the most linked first, 1–100000 (default\: 20000)]:value:' \
            '--no-wait[do not wait until the places are computed]' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        export)
          _arguments \
            '--vectors[add the vectors and the model, some 32 MB. The page loads them only if its reader switches search by meaning on]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        status)
          _arguments \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        audit)
          _arguments \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*'{--limit=,-n+}'[max entries of each list, 1–10000 (default\: 20)]:value:' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        doctor)
          _arguments \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        formats)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        config)
          _docfuse_config
          ;;
        judge)
          _arguments \
            '*'{--top-n=,-n+}'[documents to judge, 1–100 (default\: 5)]:value:' \
            '*--grades=[grades of the documents in the order found, such as 2,0,1]:value:(0 1 2 -)' \
            '*--documents=[path of a document to grade, instead of the documents found]:value:' \
            '--unanswerable[save that no document answers the query; asks for no grades]' \
            '--remove[remove the grades of `documents`, or the mark that `unanswerable` set; with neither, the query with all its grades]' \
            '*--collection=[collection to judge, if several are searched (default\: that of `documents`)]:value:' \
            '*--set-folder=[folder of the set (default\: judged, beside the index)]:value:_files' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        eval)
          _arguments \
            '*--modes=[search modes (default\: hybrid)]:value:(hybrid semantic keyword code)' \
            '*--docs=[folder of the documents, if they are not in the set]:value:_files' \
            '*--run=[file to write the rankings to, as a TREC run]:value:_files' \
            '*--compare=[TREC run to compare with, query by query. For several modes, use the name given for run]:value:_files' \
            '*--report=[file to write with plots and tables\: .html, or .svg for the plots alone]:value:_files' \
            '*--min-confidence=[leave out hits below this confidence, 0–1 (default\: 0)]:value:' \
            '--collect[first ask for grades of the best unjudged documents, in sets with docs.txt]' \
            '*'{--top-n=,-n+}'[best documents of each mode to judge with collect, 1–100 (default\: 10)]:value:' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        tune)
          _arguments \
            '*--docs=[folder of the documents, if they are not in the set]:value:_files' \
            '*--folds=[parts to divide the queries into; each is measured with weights fitted to the others (default\: 5)]:value:' \
            '*--seed=[seed for dividing the queries into parts (default\: 1)]:value:' \
            '--write[write the reported improvements into docfuse.toml]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        indexes)
          _docfuse_indexes
          ;;
        add)
          _arguments \
            '*--max-pages=[max pages to keep (default\: as before, or 2000 for a new site)]:value:' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        sites)
          _docfuse_sites
          ;;
        models)
          _docfuse_models
          ;;
        mcp)
          _docfuse_mcp
          ;;
        serve)
          _arguments \
            '*--port=[port to listen on; 0 chooses a free port (default\: 7331)]:value:' \
            '*--host=[address to listen on (default\: 127.0.0.1)]:value:' \
            '*--token=[token that clients must send; the environment variable DOCFUSE_TOKEN is safer]:value:' \
            '--judge[let the page save grades of hits, for eval and tune]' \
            '--metrics[offer metrics for Prometheus at /metrics; needs the package prom-client]' \
            '*--log-format=[log events for people or as JSON (default\: text)]:value:(text json)' \
            '--poll[compare all files every 5 s instead of waiting for change events]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        open)
          _arguments \
            '*--query=[open the page at a query]:value:' \
            '--no-browser[print the address, and start no browser]' \
            '*--port=[port of a server that this command starts (default\: 7331, or a free one)]:value:' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        worker)
          _arguments \
            '--once[end when no passage waits]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        version)
          _arguments \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        completion)
          _arguments \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '1:value:(bash zsh fish)' \
            '*: :'
          ;;
        help)
          _docfuse_help
          ;;
      esac
      ;;
  esac
}

_docfuse_list() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '*--collection=[only documents of this collection]:value:' \
    '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
    '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
    '*--tag=[only documents with this tag or one below it]:value:' \
    '*--category=[only documents of this category]:value:' \
    '*--author=[only documents by this author]:value:' \
    '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
    '*--before=[only documents before this date, written the same way]:value:' \
    '*--lang=[only passages with code in this language]:value:' \
    '*--where=[only documents whose front matter field has this value]:value:' \
    '*--sort=[by path, by title, or the newest first (default\: path)]:value:(path title date)' \
    '*'{--limit=,-n+}'[max documents in one answer (default\: 50)]:value:' \
    '*--cursor=[the next_cursor of the previous answer, to continue there]:value:' \
    '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
    '*--index=[folder of the index, never among your documents]:value:_files' \
    '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
    '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
    '--no-server[do not use a running server of the same index]' \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'tags:list the tags of documents, the most frequent first'
        'collections:list the collections and their folders'
        'judged:list the queries that were judged, with their grades'
      )
      _describe command commands
      _files
      ;;
    argument)
      case $line[1] in
        tags)
          _arguments \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*'{--limit=,-n+}'[max tags (default\: all)]:value:' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        collections)
          _arguments \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        judged)
          _arguments \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        *)
          _arguments \
            '*--collection=[only documents of this collection]:value:' \
            '*--path=[only paths that match this glob or lie under this folder]:value:_files' \
            '*--exclude=[no paths that match this glob or lie under this folder]:value:_files' \
            '*--tag=[only documents with this tag or one below it]:value:' \
            '*--category=[only documents of this category]:value:' \
            '*--author=[only documents by this author]:value:' \
            '*--after=[only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago)]:value:' \
            '*--before=[only documents before this date, written the same way]:value:' \
            '*--lang=[only passages with code in this language]:value:' \
            '*--where=[only documents whose front matter field has this value]:value:' \
            '*--sort=[by path, by title, or the newest first (default\: path)]:value:(path title date)' \
            '*'{--limit=,-n+}'[max documents in one answer (default\: 50)]:value:' \
            '*--cursor=[the next_cursor of the previous answer, to continue there]:value:' \
            '--new-index[make an index of these folders, even if the index of a folder above contains them]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
      esac
      ;;
  esac
}

_docfuse_config() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '--schema[print the JSON Schema of docfuse.toml instead]' \
    '*--index=[folder of the index, never among your documents]:value:_files' \
    '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
    '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
    '--no-server[do not use a running server of the same index]' \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'init:write a commented docfuse.toml into a folder'
      )
      _describe command commands
      _files
      ;;
    argument)
      case $line[1] in
        init)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        *)
          _arguments \
            '--schema[print the JSON Schema of docfuse.toml instead]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
      esac
      ;;
  esac
}

_docfuse_indexes() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'rm:delete an index'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        rm)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_sites() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'rm:delete the pages of an added web site'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        rm)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_models() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '--json[print JSON]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'list:list the models that were pulled'
        'pull:fetch a model from the hub, or its newer version'
        'rm:delete a pulled model'
        'path:print the folder of a pulled model, or of all pulled models'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        list)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        pull)
          _arguments \
            '*--file=[path of the ONNX file to take, such as onnx/model_quantized.onnx (default\: full precision)]:value:' \
            '--offline[download nothing; fail if the model is not here]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        rm)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
        path)
          _arguments \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_mcp() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '*--index=[folder of the index, never among your documents]:value:_files' \
    '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
    '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
    '--no-server[do not use a running server of the same index]' \
    '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
    '--debug[print the stack of an error]' \
    '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
    '--no-color[like --color never]' \
    '(--help -h)'{--help,-h}'[print help]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'install:print what to write into an assistant’s configuration'
      )
      _describe command commands
      _files
      ;;
    argument)
      case $line[1] in
        install)
          _arguments \
            '*--client=[which assistant]:value:(claude-desktop claude-code cursor vscode windsurf zed codex gemini-cli copilot-cli opencode)' \
            '*--name=[name of this server in the file (default\: docfuse)]:value:' \
            '--write[write the entry into the file]' \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '--json[print JSON]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
        *)
          _arguments \
            '*--index=[folder of the index, never among your documents]:value:_files' \
            '*--config=[configuration to use instead of the nearest docfuse.toml]:value:_files' \
            '*--set=[any setting for this command, such as search.fusion=rrf]:value:' \
            '--no-server[do not use a running server of the same index]' \
            '(--quiet -q)'{--quiet,-q}'[print only the answer and errors]' \
            '--debug[print the stack of an error]' \
            '*--color=[print colours and links (default\: auto, on a terminal)]:value:(auto always never)' \
            '--no-color[like --color never]' \
            '(--help -h)'{--help,-h}'[print help]' \
            '*:path:_files'
          ;;
      esac
      ;;
  esac
}

_docfuse_help() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'search:find the passages that answer a query'
        'ask:answer a question from the documents, with citations'
        'index:build the index or bring it up to date'
        'read:print a document, or lines of it'
        'related:show documents that are linked with a document or similar to it'
        'list:list the documents of the index'
        'graph:show which documents are linked, the most linked first'
        'map:show linked documents as a map of communities'
        'export:write a static web page that searches and shows the documents'
        'status:show what the index holds and how fresh it is'
        'audit:list broken links, copies, and the documents with the most passages'
        'doctor:check configuration, index, model and a query, and say how to fix each problem'
        'formats:list the kinds of files that are read, and the packages that some of them need'
        'config:show the settings in effect, and where each comes from'
        'judge:judge what a query finds, for eval and tune'
        'eval:measure search quality and speed on judged queries'
        'tune:fit weights and calibration to judged queries'
        'indexes:list the indexes on this machine'
        'add:fetch the pages of a web site to search them, or bring them up to date'
        'sites:list the web sites that were added'
        'models:keep models from the hub on this machine'
        'mcp:serve an assistant over MCP'
        'serve:serve an index to many clients over HTTP'
        'open:open the page of an index in your browser'
        'worker:embed passages that other machines index'
        'version:print the version'
        'completion:print a completion script for a shell'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        search)
          _arguments \
            '*: :'
          ;;
        ask)
          _arguments \
            '*: :'
          ;;
        index)
          _arguments \
            '*: :'
          ;;
        read)
          _arguments \
            '*: :'
          ;;
        related)
          _arguments \
            '*: :'
          ;;
        list)
          _docfuse_help_list
          ;;
        graph)
          _arguments \
            '*: :'
          ;;
        map)
          _arguments \
            '*: :'
          ;;
        export)
          _arguments \
            '*: :'
          ;;
        status)
          _arguments \
            '*: :'
          ;;
        audit)
          _arguments \
            '*: :'
          ;;
        doctor)
          _arguments \
            '*: :'
          ;;
        formats)
          _arguments \
            '*: :'
          ;;
        config)
          _docfuse_help_config
          ;;
        judge)
          _arguments \
            '*: :'
          ;;
        eval)
          _arguments \
            '*: :'
          ;;
        tune)
          _arguments \
            '*: :'
          ;;
        indexes)
          _docfuse_help_indexes
          ;;
        add)
          _arguments \
            '*: :'
          ;;
        sites)
          _docfuse_help_sites
          ;;
        models)
          _docfuse_help_models
          ;;
        mcp)
          _docfuse_help_mcp
          ;;
        serve)
          _arguments \
            '*: :'
          ;;
        open)
          _arguments \
            '*: :'
          ;;
        worker)
          _arguments \
            '*: :'
          ;;
        version)
          _arguments \
            '*: :'
          ;;
        completion)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_list() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'tags:list the tags of documents, the most frequent first'
        'collections:list the collections and their folders'
        'judged:list the queries that were judged, with their grades'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        tags)
          _arguments \
            '*: :'
          ;;
        collections)
          _arguments \
            '*: :'
          ;;
        judged)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_config() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'init:write a commented docfuse.toml into a folder'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        init)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_indexes() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'rm:delete an index'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        rm)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_sites() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'rm:delete the pages of an added web site'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        rm)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_models() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'list:list the models that were pulled'
        'pull:fetch a model from the hub, or its newer version'
        'rm:delete a pulled model'
        'path:print the folder of a pulled model, or of all pulled models'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        list)
          _arguments \
            '*: :'
          ;;
        pull)
          _arguments \
            '*: :'
          ;;
        rm)
          _arguments \
            '*: :'
          ;;
        path)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

_docfuse_help_mcp() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
        'install:print what to write into an assistant’s configuration'
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
        install)
          _arguments \
            '*: :'
          ;;
      esac
      ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _docfuse "$@"; else compdef _docfuse docfuse; fi
