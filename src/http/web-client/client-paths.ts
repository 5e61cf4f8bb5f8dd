import { ROUTE_POLICIES } from '../route-policies.ts'
import type { RoutePolicy } from '../support/auth/route-policy.ts'

/** The paths of pages that only the web client has (Mastodon's paths where they exist). */
export const CLIENT_PATHS = listPaths(({ webClient }) => webClient === 'only')

/** Documents at the paths of pages. */
const DOCUMENTS = String.raw`.*\.(?:json|rss)$`

/** Matches the paths at which the web client opens for users who are logged in. The build writes it into the service worker. */
export const CLIENT_PAGES = new RegExp(
  `^(?!${DOCUMENTS})(?:${listPaths(({ webClient }) => webClient !== 'never')
    .map((path) => path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.+'))
    .join('|')})/?$`,
)

function listPaths(isListed: (policy: RoutePolicy) => boolean): string[] {
  const keys = Object.keys(ROUTE_POLICIES).filter((key) => isListed(ROUTE_POLICIES[key]!))
  return keys.map((key) => key.replace(/^GET /, '').replace(/ as page$/, ''))
}
