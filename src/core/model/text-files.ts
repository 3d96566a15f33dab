/** Which files are read when a collection does not say otherwise. */
export const TEXT_FILES: readonly string[] = ['**/*.md', '**/*.markdown', '**/*.mdx', '**/*.txt', '**/*.rst'];
