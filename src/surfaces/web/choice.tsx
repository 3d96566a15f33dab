/** A list to choose one of a few names from. */
interface Props<Name extends string> {
  readonly label: string;
  readonly value: Name;
  readonly names: Readonly<Record<Name, string>>;
  readonly choose: (name: Name) => void;
}

export function Choice<Name extends string>({ label, value, names, choose }: Props<Name>) {
  return (
    <label class="choice">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value as Name)}>
        {Object.entries<string>(names).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
