import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

/**
 * Points at a registered entity by its `$id` instead of repeating its shape, so that the API document names it once:
 * `ref(Status)` is `{ $ref: 'Status' }`, typed as a Status. Throws for a schema without `$id`.
 */
export function ref<Entity extends TSchema>(entity: Entity): TUnsafe<Static<Entity>> {
  const { $id } = entity as { $id?: string }
  if ($id === undefined) throw new Error('Only an entity with an $id can be referred to')
  return refTo<Static<Entity>>($id)
}

/** The same by name, for an entity whose shape holds itself and so is not there yet. */
export function refTo<Entity>(name: string): TUnsafe<Entity> {
  return Type.Unsafe<Entity>(Type.Ref(name))
}
