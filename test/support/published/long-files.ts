/** Documents of so many passages that a publication sends several batches. */
export const longFiles = Array.from({ length: 20 }, (_, number) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${Array.from({ length: 12 }, (_, part) => `## Part ${part}\n\nword${number} in part ${part} ${'and more of it '.repeat(60)}\n`).join('\n')}`,
}));
