import { PROXY_URL_PREFIX } from '../render/media/proxied-url.ts'
import { media } from './pages/media/route.ts'
import { tags } from './pages/tag/route.ts'
import { collectionPages } from './pages/collection/route.ts'
import { assets } from './files/assets.ts'
import { siteIcons } from './files/site-icons.ts'
import { clientFiles } from './files/clients/client-files.ts'
import { storedFiles } from './files/stored-files.ts'
import { mediaProxy } from './files/media-proxy.ts'
import { authorize } from './oauth/authorize.ts'
import { oauthMetadata } from './oauth/oauth-metadata.ts'
import { revoke } from './oauth/revoke.ts'
import { tokenInfo } from './oauth/token-info.ts'
import { token } from './oauth/token.ts'
import { userinfo } from './oauth/userinfo.ts'
import { about } from './pages/about/route.ts'
import { account } from './pages/account/route.ts'
import { confirmation } from './pages/confirmation/route.ts'
import { feeds } from './pages/feeds/route.ts'
import { passwordReset } from './pages/password-reset/route.ts'
import { interactions } from './pages/interaction/route.ts'
import { landing } from './pages/landing/route.ts'
import { staticAssets } from './pages/static-assets/route.ts'
import { clients } from './pages/clients/route.ts'
import { devMail } from './pages/dev-mail/route.ts'
import { manifest } from './pages/manifest/route.ts'
import { profiles } from './pages/profile/route.ts'
import { emailNotifications } from './pages/email-notifications/route.ts'
import { settings } from './pages/settings/route.ts'
import { migration } from './pages/migration/route.ts'
import { setup } from './pages/setup/route.ts'
import { share } from './pages/share/route.ts'
import { signIn } from './pages/sign-in/route.ts'
import { signUp } from './pages/sign-up/route.ts'
import { authorizedApplications } from './pages/authorized-applications/route.ts'
import { loginActivities } from './pages/login-activities/route.ts'
import { invites } from './pages/invites/route.ts'
import { confirmIdentity } from './pages/confirm-identity/route.ts'
import { secondFactor } from './pages/second-factor/route.ts'
import { authenticatorApp } from './pages/two-factor/authenticator-app-route.ts'
import { twoFactorMethods } from './pages/two-factor/methods-route.ts'
import { passkeys } from './pages/two-factor/passkeys-route.ts'
import { exports } from './pages/exports/route.ts'
import { severedRelationships } from './pages/severed-relationships/route.ts'
import { imports } from './pages/imports/route.ts'
import { ownApplications } from './pages/own-applications/route.ts'
import { preferences } from './pages/preferences/route.ts'
import { filterPages } from './pages/filters/route.ts'
import { sessions } from './pages/sessions/route.ts'
import { statusesCleanup } from './pages/statuses-cleanup/route.ts'
import { strikes } from './pages/strikes/route.ts'
import { mastodonPaths } from './pages/mastodon-paths/route.ts'
import { threads } from './pages/thread/route.ts'
import { webClientFiles } from './web-client/files.ts'
import { webClientPages } from './web-client/route.ts'
import { paths } from './pages/paths.ts'
import type { Ctx } from '../domain/context.ts'
import type { TypedFastify } from './typed-fastify.ts'

/** Registers a file of routes under a path prefix. */
export type Mount = (prefix: string, file: (api: TypedFastify, ctx: Ctx) => Promise<void>) => PromiseLike<unknown>

/** Registers the routes of stored files, of the pages, and of OAuth. */
export async function pageRoutes(mount: Mount): Promise<void> {
  await mount('', storedFiles)
  await mount(PROXY_URL_PREFIX, mediaProxy)
  await mount('', assets)
  await mount('', siteIcons)
  await mount('', staticAssets)
  await mount(paths.clients, clientFiles)
  await mount('', clients)
  await mount('', landing)
  await mount('', about)
  await mount('', profiles)
  await mount('', threads)
  await mount('', tags)
  await mount('', collectionPages)
  await mount('', feeds)
  await mount('', interactions)
  await mount('', share)
  await mount('', media)
  await mount('', manifest)
  await mount('', signIn)
  await mount('', signUp)
  await mount('', confirmation)
  await mount('', account)
  await mount('', settings)
  await mount('', invites)
  await mount('', confirmIdentity)
  await mount('', secondFactor)
  await mount('', twoFactorMethods)
  await mount('', authenticatorApp)
  await mount('', passkeys)
  await mount('', exports)
  await mount('', imports)
  await mount('', ownApplications)
  await mount('', preferences)
  await mount('', statusesCleanup)
  await mount('', filterPages)
  await mount('', sessions)
  await mount('', loginActivities)
  await mount('', authorizedApplications)
  await mount('', strikes)
  await mount('', severedRelationships)
  await mount('', mastodonPaths)
  await mount('', emailNotifications)
  await mount('', migration)
  await mount('', passwordReset)
  await mount('', setup)
  await mount('', devMail)
  await mount('', webClientPages)
  await mount('', webClientFiles)
  await mount('', authorize)
  await mount('', token)
  await mount('', revoke)
  await mount('', tokenInfo)
  await mount('', userinfo)
  await mount('', oauthMetadata)
}
