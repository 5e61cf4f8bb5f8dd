/** A fictional account of the demo. */
export interface DemoAccount {
  username: string
  name: string
  /** The ISO 639 code. */
  language: string
  note: string
  fields?: readonly (readonly [name: string, value: string])[]
  /** Whether the account approves its followers. */
  locked?: boolean
  bot?: boolean
  /** The posts, in order. `@name` mentions another demo account; `{scene: description}` is an image of that scene. */
  posts: readonly string[]
}
