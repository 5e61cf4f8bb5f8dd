import { Type } from 'typebox'
import type { TProperties } from 'typebox'

/** The body of a form: its fields, each of which may be missing, and the hidden token. */
export function formOf<Fields extends TProperties>(fields: Fields) {
  return Type.Object({ csrf: Type.Optional(Type.String()), ...fields })
}

export const Field = Type.Optional(Type.String())
