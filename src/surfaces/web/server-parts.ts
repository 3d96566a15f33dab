/** The parts of the page that need a server. The page of an export does not load them. */
import { createAsking } from './asking/asking.ts';
import { JudgeButtons } from './judging/judge-buttons.tsx';
import { createJudgements } from './judging/judgements.ts';
import { UnanswerableButton } from './judging/unanswerable-button.tsx';
import { NewHits } from './new-hits.tsx';
import type { ServerParts } from './page.ts';
import { TokenDialog } from './token-dialog.tsx';

export const serverParts: ServerParts = {
  ...{ createAsking, createJudgements, JudgeButtons, NewHits, TokenDialog, UnanswerableButton },
};
