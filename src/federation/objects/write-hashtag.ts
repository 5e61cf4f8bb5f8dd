import type { Config } from '../../platform/config.ts'

/** A hashtag on somebody's profile; its page has their posts with it. `name` is normalised. */
export function presentFeaturedTag(config: Config, { username, name }: { username: string; name: string }): object {
  return { type: 'Hashtag', href: `${config.origin}/@${username}/tagged/${encodeURIComponent(name)}`, name: `#${name}` }
}
