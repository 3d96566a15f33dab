/** A passage to format. */
export const passage = {
  document_id: 'docs/guides/keys.md',
  start_line: 12,
  end_line: 14,
  title: 'Keys',
  heading_path: ['Keys', 'Rotating'],
  text: '\nOpen the settings.\n\nPress *Rotate*.\n',
};
