import type { Config } from '../../../platform/config/config.ts'

/** Returns a featured hashtag of an account, with the page of its posts with that hashtag. `name` is normalised. */
export function renderFeaturedTag(config: Config, { username, name }: { username: string; name: string }): object {
  return { type: 'Hashtag', href: `${config.origin}/@${username}/tagged/${encodeURIComponent(name)}`, name: `#${name}` }
}
