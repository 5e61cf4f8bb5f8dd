import { MastoHttpError } from 'masto'
import { toSnakeCase } from './convert-names.ts'

/** What is wrong with the values of a form, by the names of the parameters in snake case. */
export type FieldErrors = Readonly<Record<string, string>>

/** Returns what the server says about each invalid parameter of a request; nothing for other errors. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!(error instanceof MastoHttpError) || !error.details) return {}
  const details = toSnakeCase(error.details) as NonNullable<MastoHttpError['details']>
  return Object.fromEntries(Object.entries(details).map(([name, problems]) => [name, problems[0]?.description ?? '']))
}
