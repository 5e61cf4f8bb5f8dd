import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

/**
 * Returns a reference to a registered entity, so that the OpenAPI document contains its schema once: `ref(Status)` is
 * `{ $ref: 'Status' }`, typed as a Status. Throws for a schema without `$id`.
 */
export function ref<Entity extends TSchema>(entity: Entity): TUnsafe<Static<Entity>> {
  const { $id } = entity as { $id?: string }
  if ($id === undefined) throw new Error('Only an entity with an $id can be referenced')
  return refTo<Static<Entity>>($id)
}

/** Returns a reference by name, for recursive entities, whose schema is not defined yet at the reference. */
export function refTo<Entity>(name: string): TUnsafe<Entity> {
  return Type.Unsafe<Entity>(Type.Ref(name))
}
