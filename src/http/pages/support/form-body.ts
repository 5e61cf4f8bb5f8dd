import { Type } from 'typebox'
import type { TProperties } from 'typebox'

/** Returns the schema of a form: its fields, all of them optional, and the CSRF token. */
export function formOf<Fields extends TProperties>(fields: Fields) {
  return Type.Object({ csrf: Type.Optional(Type.String()), ...fields })
}

export const Field = Type.Optional(Type.String())
