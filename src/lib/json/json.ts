declare const about: unique symbol

/** JSON of a T. ActivityPub documents are stored, signed and sent as text; entities of the API are `EntityJson`. */
export type Json<T> = string & { readonly [about]: T }

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

export function jsonArray<T>(items: readonly Json<T>[]): Json<T[]> {
  return `[${items.join(',')}]` as Json<T[]>
}
