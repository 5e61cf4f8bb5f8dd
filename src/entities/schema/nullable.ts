import { type TSchema, type TSchemaOptions, Type } from 'typebox'

/** Returns a schema whose value may be null. The key is always present. */
export function nullable<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Union([schema, Type.Null()], options)
}
