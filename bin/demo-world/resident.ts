/** Somebody who lives in the demonstration. Everything about them is made up. */
export interface Resident {
  username: string
  name: string
  /** ISO 639. */
  language: string
  note: string
  fields?: readonly (readonly [name: string, value: string])[]
  /** Must agree to followers. */
  locked?: boolean
  bot?: boolean
  /** What they post, in order. `@name` mentions a neighbour; `{scene: description}` stands for a picture of that scene. */
  posts: readonly string[]
}
