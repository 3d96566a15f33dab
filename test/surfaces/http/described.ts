/** The OpenAPI document of a server as checks: what a route takes and what it answers. */
import * as z from 'zod';

type Json = Readonly<Record<string, unknown>>;

export interface Described {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

export type PathItem = Readonly<Record<'get' | 'post', OperationItem | undefined>>;

export interface OperationItem {
  readonly operationId: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    required: boolean;
    schema: Json;
    description?: string;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Json }>> }
    >
  >;
}

/** A schema of the document as a zod schema; what it refers to comes with it. */
export function checkOf({ components }: Described, schema: Json): z.ZodType {
  const whole = { ...schema, $defs: components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as z.core.JSONSchema.JSONSchema);
}

/** What is wrong with an answer by the description of its route; empty when nothing is. */
export async function complaintsAbout(
  described: Described,
  { responses }: OperationItem,
  answer: Response,
): Promise<readonly string[]> {
  const problem = answer.status !== 200;
  const type = problem ? 'application/problem+json' : 'application/json';
  const schema = problem
    ? { $ref: '#/components/schemas/problem' }
    : responses['200']?.content?.[type]?.schema;
  const found = answer.headers.get('content-type');
  const body: unknown = await answer.json();
  const checked = schema && checkOf(described, schema).safeParse(body);
  return [
    ...(found === type ? [] : [`content type ${found}`]),
    ...(answer.status >= 500 ? [`status ${answer.status}: ${JSON.stringify(body)}`] : []),
    ...(checked?.success ? [] : [`body: ${checked?.error.message ?? 'undescribed'}`]),
  ];
}
