import { type TSchema, type TSchemaOptions, Type } from 'typebox'

/** The key is always there, its value may be null. */
export function nullable<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Union([schema, Type.Null()], options)
}
