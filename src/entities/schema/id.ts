import { Type } from 'typebox'

/** The id of a record: a 64-bit integer as a decimal string, opaque to clients. */
export const Id = Type.String()
