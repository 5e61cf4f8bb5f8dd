import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { PROXY_URL_PREFIX } from '../render/proxied.ts'
import { apiDocs } from './api-docs.ts'
import { instance } from './api/instance.ts'
import { oembed } from './api/oembed.ts'
import { accountActions } from './api/v1/accounts/actions.ts'
import { credentials } from './api/v1/accounts/credentials.ts'
import { accountCollections, inCollections } from './api/v1/accounts/collections.ts'
import { accounts } from './api/v1/accounts/index.ts'
import { accountLists } from './api/v1/accounts/lists.ts'
import { signUp as signUpByApp } from './api/v1/accounts/sign-up.ts'
import { updateCredentials } from './api/v1/accounts/update-credentials.ts'
import { annualReports } from './api/v1/annual_reports.ts'
import { announcements } from './api/v1/announcements.ts'
import { apps } from './api/v1/apps.ts'
import { blocks } from './api/v1/blocks.ts'
import { domainBlocks } from './api/v1/domain_blocks.ts'
import { collections } from './api/v1/collections.ts'
import { conversations } from './api/v1/conversations.ts'
import { customEmojis } from './api/v1/custom_emojis.ts'
import { donationCampaigns } from './api/v1/donation_campaigns.ts'
import { directory } from './api/v1/directory.ts'
import { emails } from './api/v1/emails.ts'
import { endorsements } from './api/v1/endorsements.ts'
import { phrases } from './api/v1/filters.ts'
import { accountFeaturedTags, featuredTags } from './api/v1/featured_tags.ts'
import { followedTags } from './api/v1/followed_tags.ts'
import { followRequests } from './api/v1/follow_requests.ts'
import { follows } from './api/v1/follows.ts'
import { documents } from './api/v1/instance/documents.ts'
import { instanceDomainBlocks } from './api/v1/instance/domain_blocks.ts'
import { figures } from './api/v1/instance/figures.ts'
import { translationLanguages } from './api/v1/instance/translation_languages.ts'
import { kept } from './api/v1/kept.ts'
import { markers } from './api/v1/markers.ts'
import { lists } from './api/v1/lists.ts'
import { media, uploads } from './api/v1/media.ts'
import { mutes } from './api/v1/mutes.ts'
import { notifications } from './api/v1/notifications/index.ts'
import { filterPolicy } from './api/v1/notifications/policy.ts'
import { notificationRequests } from './api/v1/notifications/requests.ts'
import { groupedNotifications } from './api/v2/notifications/index.ts'
import { notificationPolicy } from './api/v2/notifications/policy.ts'
import { peers } from './api/v1/peers.ts'
import { polls } from './api/v1/polls.ts'
import { preferences } from './api/v1/preferences.ts'
import { profile } from './api/v1/profile.ts'
import { push } from './api/v1/push.ts'
import { reports } from './api/v1/reports.ts'
import { scheduledStatuses } from './api/v1/scheduled_statuses.ts'
import { statusAdmirers } from './api/v1/statuses/admirers.ts'
import { statusActions } from './api/v1/statuses/actions.ts'
import { statusContext } from './api/v1/statuses/context.ts'
import { statusEdits } from './api/v1/statuses/edits.ts'
import { statuses } from './api/v1/statuses/index.ts'
import { statusQuotes } from './api/v1/statuses/quotes.ts'
import { statusTranslation } from './api/v1/statuses/translation.ts'
import { suggestions } from './api/v1/suggestions.ts'
import { tags } from './api/v1/tags.ts'
import { timelines } from './api/v1/timelines.ts'
import { trends } from './api/v1/trends.ts'
import { asyncRefreshes } from './api/v1_alpha/async_refreshes.ts'
import { filters } from './api/v2/filters/index.ts'
import { filterKeywords } from './api/v2/filters/keywords.ts'
import { filteredStatuses } from './api/v2/filters/statuses.ts'
import { search } from './api/v2/search.ts'
import { suggestionsWithSources } from './api/v2/suggestions.ts'
import type { Api } from './api.ts'
import { assets } from './assets.ts'
import { files } from './files.ts'
import { health } from './health.ts'
import { mediaProxy } from './media-proxy.ts'
import { authorize } from './oauth/authorize.ts'
import { metadata } from './oauth/metadata.ts'
import { revoke } from './oauth/revoke.ts'
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
import { devMail } from './pages/dev-mail/route.ts'
import { manifest } from './pages/manifest/route.ts'
import { media as mediaPages } from './pages/media/route.ts'
import { profiles } from './pages/profile/route.ts'
import { emailNotifications } from './pages/email-notifications/route.ts'
import { settings } from './pages/settings/route.ts'
import { migration } from './pages/migration/route.ts'
import { setup } from './pages/setup/route.ts'
import { share } from './pages/share/route.ts'
import { signIn } from './pages/sign-in/route.ts'
import { signUp } from './pages/sign-up/route.ts'
import { tags as tagPages } from './pages/tag/route.ts'
import { threads } from './pages/thread/route.ts'
import { deprecated } from './support/deprecated.ts'

/** The table of contents: prefix → file. */
export async function routes(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const mount = (prefix: string, file: (api: Api, ctx: Ctx) => Promise<void>) =>
    app.register(async (api) => file(api as unknown as Api, ctx), { prefix })

  await mount('', files)
  await mount(PROXY_URL_PREFIX, mediaProxy)
  await mount('', assets)
  await mount('', staticAssets)
  await mount('', landing)
  await mount('', about)
  await mount('', profiles)
  await mount('', threads)
  await mount('', tagPages)
  await mount('', feeds)
  await mount('', interactions)
  await mount('', share)
  await mount('', mediaPages)
  await mount('', manifest)
  await mount('', signIn)
  await mount('', signUp)
  await mount('', confirmation)
  await mount('', account)
  await mount('', settings)
  await mount('', emailNotifications)
  await mount('', migration)
  await mount('', passwordReset)
  await mount('', setup)
  await mount('', devMail)
  await mount('', authorize)
  await mount('', token)
  await mount('', revoke)
  await mount('', userinfo)
  await mount('', metadata)
  await mount('', instance)
  await mount('/api/v1/instance', documents)
  await mount('/api/v1/instance', figures)
  await mount('/api/v1/instance', translationLanguages)
  await mount('/api/v1/instance/domain_blocks', instanceDomainBlocks)
  await mount('/api/v1/peers', peers)
  await mount('/api/v1/custom_emojis', customEmojis)
  await mount('', oembed)
  await mount('/api/v1/apps', apps)
  await mount('/api/v1/accounts', signUpByApp)
  await mount('/api/v1/accounts', credentials)
  await mount('/api/v1/accounts', updateCredentials)
  await mount('/api/v1/accounts', accounts)
  await mount('/api/v1/accounts', accountLists)
  await mount('/api/v1/accounts', accountActions)
  await mount('/api/v1/follows', follows)
  await mount('/api/v1/follow_requests', followRequests)
  await mount('/api/v1/blocks', blocks)
  await mount('/api/v1/mutes', mutes)
  await mount('/api/v1/domain_blocks', domainBlocks)
  await mount('/api/v1/endorsements', endorsements)
  await mount('/api/v1/announcements', announcements)
  await mount('/api/v1/annual_reports', annualReports)
  await mount('/api/v1/notifications', notifications)
  await mount('/api/v1/push', push)
  await mount('/api/v1/notifications', filterPolicy)
  await mount('/api/v1/notifications', notificationRequests)
  await mount('/api/v2/notifications', groupedNotifications)
  await mount('/api/v2/notifications', notificationPolicy)
  await mount('/api/v1/filters', phrases)
  await mount('/api/v2/filters', filters)
  await mount('/api/v2/filters', filterKeywords)
  await mount('/api/v2/filters', filteredStatuses)
  await mount('/api/v1/profile', profile)
  await mount('/api/v1/preferences', preferences)
  await mount('/api/v1/markers', markers)
  await mount('/api/v1/emails', emails)
  await mount('/api/v1', (api) => uploads(api, ctx, { waits: true }))
  await mount('/api/v2', (api) => uploads(api, ctx, { waits: false }))
  await mount('/api/v1/media', media)
  await mount('/api/v1/statuses', statuses)
  await mount('/api/v1/statuses', statusActions)
  await mount('/api/v1/statuses', statusContext)
  await mount('/api/v1/statuses', statusTranslation)
  await mount('/api/v1_alpha/async_refreshes', asyncRefreshes)
  await mount('/api/v1/statuses', statusEdits)
  await mount('/api/v1/statuses', statusAdmirers)
  await mount('/api/v1/statuses', statusQuotes)
  await mount('/api/v1/polls', polls)
  await mount('/api/v1/scheduled_statuses', scheduledStatuses)
  await mount('/api/v1', kept)
  await mount('/api/v1/reports', reports)
  await mount('/api/v1/timelines', timelines)
  await mount('/api/v1/conversations', conversations)
  await mount('/api/v1/lists', lists)
  await mount('/api/v1/accounts', accountCollections)
  await mount('/api/v1/accounts', inCollections)
  await mount('/api/v1/collections', collections)
  await mount('/api/v1_alpha/accounts', deprecated(accountCollections))
  await mount('/api/v1_alpha/collections', deprecated(collections))
  await mount('/api/v1/tags', tags)
  await mount('/api/v1/followed_tags', followedTags)
  await mount('/api/v1/featured_tags', featuredTags)
  await mount('/api/v1/accounts', accountFeaturedTags)
  await mount('/api/v1/trends', trends)
  await mount('/api/v1/directory', directory)
  await mount('/api/v1/donation_campaigns', donationCampaigns)
  await mount('/api/v1/suggestions', suggestions)
  await mount('/api/v2/suggestions', suggestionsWithSources)
  await mount('/api/v2', search)
  await health(app, ctx)
  await apiDocs(app, ctx)
}
