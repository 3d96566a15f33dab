import { makeReference, retrievalContract } from '../../contracts/retrieval-contract.ts';
import { memoryIndex } from '../../support/memory-services.ts';

retrievalContract('the embedded retrieval', (files) => memoryIndex(files).services.retrieval);
retrievalContract('the reference', makeReference, {
  declares: { wordForms: false, explanations: false },
});
