import { Type } from 'typebox'

/** A record's id: a 64-bit integer written as a decimal string, opaque to clients. */
export const Id = Type.String()
