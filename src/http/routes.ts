import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { apiDocs } from './openapi/api-docs.ts'
import { instance } from './api/instance.ts'
import { oembed } from './api/oembed.ts'
import { accountActions } from './api/v1/accounts/account-actions.ts'
import { verifyCredentials } from './api/v1/accounts/verify-credentials.ts'
import { accountCollections, inCollections } from './api/v1/accounts/account-collections.ts'
import { accounts } from './api/v1/accounts/accounts.ts'
import { accountSubresources, accountPages } from './api/v1/accounts/account-subresources.ts'
import { signUp as signUpByApp } from './api/v1/accounts/sign-up.ts'
import { updateCredentials } from './api/v1/accounts/update-credentials.ts'
import { adminAccountActions } from './api/v1/admin/accounts/account-actions.ts'
import { adminStrikes } from './api/v1/admin/accounts/strikes.ts'
import { adminAppeals } from './api/v1/admin/appeals/appeals.ts'
import { adminAccountStatuses } from './api/v1/admin/account-statuses/account-statuses.ts'
import { auditLog } from './api/v1/admin/audit-log/audit-log.ts'
import { adminAccounts } from './api/v1/admin/accounts/accounts.ts'
import { adminCanonicalEmailBlocks } from './api/v1/admin/canonical-email-blocks/canonical-email-blocks.ts'
import { adminEmailDomainBlocks } from './api/v1/admin/email-domain-blocks/email-domain-blocks.ts'
import { adminIpBlocks } from './api/v1/admin/ip-blocks/ip-blocks.ts'
import { adminDomainAllows } from './api/v1/admin/domain-allows/domain-allows.ts'
import { adminDomainBlocks } from './api/v1/admin/domain-blocks/domain-blocks.ts'
import { adminBlockListExports } from './api/v1/admin/domain-block-imports/block-list-exports.ts'
import { adminDomainBlockImports } from './api/v1/admin/domain-block-imports/domain-block-imports.ts'
import { adminMeasures } from './api/v1/admin/measures/measures.ts'
import { adminNotesOn } from './api/v1/admin/notes/notes.ts'
import { adminAnnouncements } from './api/v1/admin/announcements/announcements.ts'
import { adminCustomEmojis } from './api/v1/admin/custom-emojis/custom-emojis.ts'
import { adminRules } from './api/v1/admin/rules/rules.ts'
import { adminSettings } from './api/v1/admin/settings/settings.ts'
import { adminIcon } from './api/v1/admin/settings/icon.ts'
import { adminThumbnail } from './api/v1/admin/settings/thumbnail.ts'
import { adminTermsOfService } from './api/v1/admin/settings/terms-of-service.ts'
import { adminDeliveries } from './api/v1/admin/deliveries/deliveries.ts'
import { adminJobs } from './api/v1/admin/jobs/jobs.ts'
import { adminMails } from './api/v1/admin/mails/mails.ts'
import { adminMedia } from './api/v1/admin/media/media.ts'
import { adminReports } from './api/v1/admin/reports/reports.ts'
import { adminRetentionPolicy } from './api/v1/admin/retention-policy/retention-policy.ts'
import { adminSuggestions } from './api/v1/admin/suggestions/suggestions.ts'
import { adminTags } from './api/v1/admin/tags/tags.ts'
import { adminWebhookDeliveries, adminWebhooks } from './api/v1/admin/webhooks/webhooks.ts'
import { adminInvites } from './api/v1/admin/invites/invites.ts'
import { invites } from './api/v1/invites/invites.ts'
import { adminRelays } from './api/v1/admin/relays/relays.ts'
import { adminRoles } from './api/v1/admin/roles/roles.ts'
import { adminUsernameBlocks } from './api/v1/admin/username-blocks/username-blocks.ts'
import { adminTrends } from './api/v1/admin/trends/trends.ts'
import { annualReports } from './api/v1/annual-reports/annual-reports.ts'
import { announcements } from './api/v1/announcements/announcements.ts'
import { apps } from './api/v1/apps/apps.ts'
import { blocks } from './api/v1/blocks/blocks.ts'
import { domainBlocks } from './api/v1/domain-blocks/domain-blocks.ts'
import { collections } from './api/v1/collections/collections.ts'
import { conversations } from './api/v1/conversations/conversations.ts'
import { customEmojis } from './api/v1/custom-emojis/custom-emojis.ts'
import { donationCampaigns } from './api/v1/donation-campaigns/donation-campaigns.ts'
import { directory } from './api/v1/directory/directory.ts'
import { emails } from './api/v1/emails/emails.ts'
import { endorsements } from './api/v1/endorsements/endorsements.ts'
import { v1Filters } from './api/v1/filters/v1-filters.ts'
import { accountFeaturedTags, featuredTags } from './api/v1/featured-tags/featured-tags.ts'
import { followedTags } from './api/v1/followed-tags/followed-tags.ts'
import { followRequests } from './api/v1/follow-requests/follow-requests.ts'
import { follows } from './api/v1/follows/follows.ts'
import { instanceDocuments } from './api/v1/instance/instance-documents.ts'
import { instanceDomainBlocks } from './api/v1/instance/instance-domain-blocks.ts'
import { peersAndActivity } from './api/v1/instance/peers-and-activity.ts'
import { translationLanguages } from './api/v1/instance/translation-languages.ts'
import { favouritesAndBookmarks } from './api/v1/favourites-and-bookmarks/favourites-and-bookmarks.ts'
import { markers } from './api/v1/markers/markers.ts'
import { lists } from './api/v1/lists/lists.ts'
import { media, uploads } from './api/v1/media/media.ts'
import { mutes } from './api/v1/mutes/mutes.ts'
import { notificationList, notifications } from './api/v1/notifications/notifications.ts'
import { v1NotificationPolicy } from './api/v1/notifications/v1-notification-policy.ts'
import { notificationRequests } from './api/v1/notifications/notification-requests.ts'
import { adminWarningPresets } from './api/v1/admin/warning-presets/warning-presets.ts'
import { filteredAdminAccounts } from './api/v2/admin/accounts/filtered-accounts.ts'
import { groupedNotificationList, groupedNotifications } from './api/v2/notifications/grouped-notifications.ts'
import { notificationPolicy } from './api/v2/notifications/notification-policy.ts'
import { peers } from './api/v1/peers/peers.ts'
import { polls } from './api/v1/polls/polls.ts'
import { preferences } from './api/v1/preferences/preferences.ts'
import { profile } from './api/v1/profile/profile.ts'
import { push } from './api/v1/push/push.ts'
import { reports } from './api/v1/reports/reports.ts'
import { scheduledStatuses } from './api/v1/scheduled-statuses/scheduled-statuses.ts'
import { rebloggedByAndFavouritedBy } from './api/v1/statuses/reblogged-by-and-favourited-by.ts'
import { statusActions } from './api/v1/statuses/status-actions.ts'
import { statusContext } from './api/v1/statuses/status-context.ts'
import { statusEdits } from './api/v1/statuses/status-edits.ts'
import { severalStatuses, statuses } from './api/v1/statuses/statuses.ts'
import { quotesOfStatus, statusQuotes } from './api/v1/statuses/status-quotes.ts'
import { statusTranslation } from './api/v1/statuses/status-translation.ts'
import { suggestions } from './api/v1/suggestions/suggestions.ts'
import { tags } from './api/v1/tags/tags.ts'
import { timelines } from './api/v1/timelines/timelines.ts'
import { trendingStatuses, trends } from './api/v1/trends/trends.ts'
import { asyncRefreshes } from './api/v1-alpha/async-refreshes.ts'
import { filters } from './api/v2/filters/filters.ts'
import { filterKeywords } from './api/v2/filters/filter-keywords.ts'
import { filteredStatuses } from './api/v2/filters/filtered-statuses.ts'
import { search } from './api/v2/search/search.ts'
import { suggestionsWithSources } from './api/v2/suggestions/suggestions-with-sources.ts'
import { pageRoutes } from './page-routes.ts'
import { ReadApi } from './typed-fastify.ts'
import type { TypedFastify } from './typed-fastify.ts'
import { openWebClientOnPages } from './web-client/route.ts'
import { healthRoutes } from './health/health-routes.ts'
import { deprecatedRoutes } from './support/response/deprecation.ts'

/** With a display name, Fastify does not search all loaded modules for the name of a plugin, which takes 0.2 ms. */
const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** Registers all routes, each file under its path prefix. */
export async function routes(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const register = (prefix: string, name: string, file: (api: TypedFastify) => Promise<void>) => {
    const plugin = async (api: FastifyInstance) => file(api)
    return app.register(Object.assign(plugin, { [DISPLAY_NAME]: name }), { prefix })
  }
  const mount = (prefix: string, file: (api: TypedFastify, ctx: Ctx) => Promise<void>) =>
    register(prefix, file.name, async (api) => file(api, ctx))
  const mountReads = (prefix: string, file: (api: ReadApi) => void) =>
    register(prefix, file.name, async (api) => file(new ReadApi(api, ctx)))

  openWebClientOnPages(app, ctx)
  await pageRoutes(mount)
  await mount('', instance)
  await mount('/api/v1/instance', instanceDocuments)
  await mount('/api/v1/instance', peersAndActivity)
  await mount('/api/v1/instance', translationLanguages)
  await mount('/api/v1/instance/domain_blocks', instanceDomainBlocks)
  await mount('/api/v1/peers', peers)
  await mount('/api/v1/custom_emojis', customEmojis)
  await mount('', oembed)
  await mount('/api/v1/apps', apps)
  await mount('/api/v1/accounts', signUpByApp)
  await mountReads('/api/v1/accounts', verifyCredentials)
  await mount('/api/v1/accounts', updateCredentials)
  await mount('/api/v1/accounts', accounts)
  await mountReads('/api/v1/accounts', accountPages)
  await mount('/api/v1/accounts', accountSubresources)
  await mount('/api/v1/accounts', accountActions)
  await mount('/api/v1/follows', follows)
  await mount('/api/v1/follow_requests', followRequests)
  await mount('/api/v1/blocks', blocks)
  await mount('/api/v1/mutes', mutes)
  await mount('/api/v1/domain_blocks', domainBlocks)
  await mount('/api/v1/endorsements', endorsements)
  await mount('/api/v1/announcements', announcements)
  await mount('/api/v1/annual_reports', annualReports)
  await mountReads('/api/v1/notifications', notificationList)
  await mount('/api/v1/notifications', notifications)
  await mount('/api/v1/push', push)
  await mount('/api/v1/notifications', v1NotificationPolicy)
  await mount('/api/v1/notifications', notificationRequests)
  await mountReads('/api/v2/notifications', groupedNotificationList)
  await mount('/api/v2/notifications', groupedNotifications)
  await mount('/api/v2/notifications', notificationPolicy)
  await mount('/api/v1/filters', v1Filters)
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
  await mountReads('/api/v1/statuses', severalStatuses)
  await mount('/api/v1/statuses', statuses)
  await mount('/api/v1/statuses', statusActions)
  await mount('/api/v1/statuses', statusContext)
  await mount('/api/v1/statuses', statusTranslation)
  await mount('/api/v1_alpha/async_refreshes', asyncRefreshes)
  await mount('/api/v1/statuses', statusEdits)
  await mount('/api/v1/statuses', rebloggedByAndFavouritedBy)
  await mountReads('/api/v1/statuses', quotesOfStatus)
  await mount('/api/v1/statuses', statusQuotes)
  await mount('/api/v1/polls', polls)
  await mount('/api/v1/scheduled_statuses', scheduledStatuses)
  await mountReads('/api/v1', favouritesAndBookmarks)
  await mount('/api/v1/reports', reports)
  await mount('/api/v1/admin/accounts', adminAccountActions)
  await mount('/api/v1/admin/audit_log', auditLog)
  await mount('/api/v1/admin/reports', adminReports)
  await mount('/api/v1/admin/accounts', adminAccounts)
  await mount('/api/v1/admin/accounts', adminNotesOn('account'))
  await mount('/api/v1/admin/accounts', adminAccountStatuses)
  await mount('/api/v1/admin/reports', adminNotesOn('report'))
  await mount('/api/v2/admin/accounts', filteredAdminAccounts)
  await mount('/api/v1/admin/accounts', adminStrikes)
  await mount('/api/v1/admin/appeals', adminAppeals)
  await mount('/api/v1/admin/warning_presets', adminWarningPresets)
  await mount('/api/v1/admin/canonical_email_blocks', adminCanonicalEmailBlocks)
  await mount('/api/v1/admin/email_domain_blocks', adminEmailDomainBlocks)
  await mount('/api/v1/admin/ip_blocks', adminIpBlocks)
  await mount('/api/v1/admin/domain_allows', adminDomainAllows)
  await mount('/api/v1/admin/domain_blocks', adminDomainBlocks)
  await mount('/api/v1/admin/retention_policy', adminRetentionPolicy)
  await mount('/api/v1/admin/domain_block_imports', adminDomainBlockImports)
  await mount('/api/v1/admin', adminBlockListExports)
  await mount('/api/v1/admin/suggestions', adminSuggestions)
  await mount('/api/v1/admin/tags', adminTags)
  await mount('/api/v1/admin/trends', adminTrends)
  await mount('/api/v1/admin', adminMeasures)
  await mount('/api/v1/admin/announcements', adminAnnouncements)
  await mount('/api/v1/admin/custom_emojis', adminCustomEmojis)
  await mount('/api/v1/admin/rules', adminRules)
  await mount('/api/v1/admin/settings', adminSettings)
  await mount('/api/v1/admin/settings/thumbnail', adminThumbnail)
  await mount('/api/v1/admin/settings/icon', adminIcon)
  await mount('/api/v1/admin/terms_of_service', adminTermsOfService)
  await mount('/api/v1/admin/webhooks', adminWebhooks)
  await mount('/api/v1/admin/webhooks', adminWebhookDeliveries)
  await mount('/api/v1/admin/deliveries', adminDeliveries)
  await mount('/api/v1/admin/jobs', adminJobs)
  await mount('/api/v1/admin/mails', adminMails)
  await mount('/api/v1/admin/media', adminMedia)
  await mount('/api/v1/admin/roles', adminRoles)
  await mount('/api/v1/admin/username_blocks', adminUsernameBlocks)
  await mount('/api/v1/admin/invites', adminInvites)
  await mount('/api/v1/admin/relays', adminRelays)
  await mount('/api/v1/invites', invites)
  await mountReads('/api/v1/timelines', timelines)
  await mount('/api/v1/conversations', conversations)
  await mount('/api/v1/lists', lists)
  await mount('/api/v1/accounts', accountCollections)
  await mount('/api/v1/accounts', inCollections)
  await mount('/api/v1/collections', collections)
  await mount('/api/v1_alpha/accounts', deprecatedRoutes(accountCollections))
  await mount('/api/v1_alpha/collections', deprecatedRoutes(collections))
  await mount('/api/v1/tags', tags)
  await mount('/api/v1/followed_tags', followedTags)
  await mount('/api/v1/featured_tags', featuredTags)
  await mount('/api/v1/accounts', accountFeaturedTags)
  await mount('/api/v1/trends', trends)
  await mountReads('/api/v1/trends', trendingStatuses)
  await mount('/api/v1/directory', directory)
  await mount('/api/v1/donation_campaigns', donationCampaigns)
  await mount('/api/v1/suggestions', suggestions)
  await mountReads('/api/v2/suggestions', suggestionsWithSources)
  await mount('/api/v2', search)
  await healthRoutes(app, ctx)
  await apiDocs(app, ctx)
}
