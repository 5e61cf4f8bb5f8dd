import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ReportFilter } from '../../features/admin/reports/report-queries.ts'
import type { AppealStatus } from '../../features/admin/appeals/appeal-list.tsx'
import type { InviteState } from '../../features/admin/invites/invite-queries.ts'
import { readAccountFilters } from '../../features/admin/accounts/account-filters.ts'
import { readAuditLogFilters } from '../../features/admin/audit-log/audit-log-filters.ts'
import { readEmojiFilters } from '../../features/admin/emojis/emoji-filters.ts'
import { readJobFilters } from '../../features/admin/jobs/job-filters.ts'
import { readMailFilters } from '../../features/admin/mails/mail-filters.ts'
import type { SuggestionState } from '../../features/admin/suggestions/suggestion-queries.ts'
import { readTrendFilters } from '../../features/admin/trends/trend-filters.ts'
import { loadMessages } from '../../lib/i18n/messages.ts'
import { root } from '../root-route.ts'

/* The pages are loaded together, as two files. */
const load = () => import('./admin-pages.tsx')
const loadOperations = () => import('./operation-pages.tsx')

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  loader: () => loadMessages('admin'),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(load, 'AdminShell'),
})

const dashboard = createRoute({
  getParentRoute: () => admin,
  path: '/',
  component: lazyRouteComponent(load, 'DashboardPage'),
})

const reports = createRoute({
  getParentRoute: () => admin,
  path: '/reports',
  validateSearch: ({ filter }: { filter?: ReportFilter }): { filter?: ReportFilter } => ({
    ...((filter === 'mine' || filter === 'resolved') && { filter }),
  }),
  component: lazyRouteComponent(load, 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => admin,
  path: '/reports/$id',
  component: lazyRouteComponent(load, 'ReportPage'),
})

const approvals = createRoute({
  getParentRoute: () => admin,
  path: '/approvals',
  component: lazyRouteComponent(load, 'ApprovalsPage'),
})

const appeals = createRoute({
  getParentRoute: () => admin,
  path: '/appeals',
  validateSearch: ({ status }: { status?: AppealStatus }): { status?: AppealStatus } => ({
    ...((status === 'approved' || status === 'rejected') && { status }),
  }),
  component: lazyRouteComponent(load, 'AppealsPage'),
})

const accounts = createRoute({
  getParentRoute: () => admin,
  path: '/accounts',
  validateSearch: readAccountFilters,
  component: lazyRouteComponent(load, 'AccountsPage'),
})

const account = createRoute({
  getParentRoute: () => admin,
  path: '/accounts/$id',
  component: lazyRouteComponent(load, 'AccountPage'),
})

const domainBlocks = createRoute({
  getParentRoute: () => admin,
  path: '/domain_blocks',
  component: lazyRouteComponent(load, 'DomainBlocksPage'),
})

const domainAllows = createRoute({
  getParentRoute: () => admin,
  path: '/domain_allows',
  component: lazyRouteComponent(load, 'DomainAllowsPage'),
})

const emailDomainBlocks = createRoute({
  getParentRoute: () => admin,
  path: '/email_domain_blocks',
  component: lazyRouteComponent(load, 'EmailDomainBlocksPage'),
})

const ipBlocks = createRoute({
  getParentRoute: () => admin,
  path: '/ip_blocks',
  component: lazyRouteComponent(load, 'IpBlocksPage'),
})

const usernameBlocks = createRoute({
  getParentRoute: () => admin,
  path: '/username_blocks',
  component: lazyRouteComponent(load, 'UsernameBlocksPage'),
})

const warningPresets = createRoute({
  getParentRoute: () => admin,
  path: '/warning_presets',
  component: lazyRouteComponent(load, 'WarningPresetsPage'),
})

const settings = createRoute({
  getParentRoute: () => admin,
  path: '/settings',
  component: lazyRouteComponent(load, 'SettingsPage'),
})

const settingsPage = createRoute({
  getParentRoute: () => admin,
  path: '/settings/$page',
  component: lazyRouteComponent(load, 'SettingsPage'),
})

const rules = createRoute({
  getParentRoute: () => admin,
  path: '/rules',
  component: lazyRouteComponent(load, 'RulesPage'),
})

const announcements = createRoute({
  getParentRoute: () => admin,
  path: '/announcements',
  component: lazyRouteComponent(load, 'AnnouncementsPage'),
})

const announcement = createRoute({
  getParentRoute: () => admin,
  path: '/announcements/$id',
  component: lazyRouteComponent(load, 'AnnouncementPage'),
})

const roles = createRoute({
  getParentRoute: () => admin,
  path: '/roles',
  component: lazyRouteComponent(load, 'RolesPage'),
})

const role = createRoute({
  getParentRoute: () => admin,
  path: '/roles/$id',
  component: lazyRouteComponent(load, 'RolePage'),
})

const invites = createRoute({
  getParentRoute: () => admin,
  path: '/invites',
  validateSearch: ({ state }: { state?: InviteState }): { state?: InviteState } => ({
    ...(state === 'expired' && { state }),
  }),
  component: lazyRouteComponent(load, 'InvitesPage'),
})

const deliveries = createRoute({
  getParentRoute: () => admin,
  path: '/deliveries',
  component: lazyRouteComponent(load, 'DeliveriesPage'),
})

const domainBlockUpload = createRoute({
  getParentRoute: () => admin,
  path: '/domain_blocks/import',
  component: lazyRouteComponent(loadOperations, 'DomainBlockUploadPage'),
})

const domainBlockImport = createRoute({
  getParentRoute: () => admin,
  path: '/domain_blocks/imports/$id',
  component: lazyRouteComponent(loadOperations, 'DomainBlockImportPage'),
})

const canonicalEmailBlocks = createRoute({
  getParentRoute: () => admin,
  path: '/canonical_email_blocks',
  component: lazyRouteComponent(loadOperations, 'CanonicalEmailBlocksPage'),
})

const trends = createRoute({
  getParentRoute: () => admin,
  path: '/trends',
  validateSearch: readTrendFilters,
  component: lazyRouteComponent(loadOperations, 'TrendsPage'),
})

const followRecommendations = createRoute({
  getParentRoute: () => admin,
  path: '/follow_recommendations',
  validateSearch: ({ state }: { state?: SuggestionState }): { state?: SuggestionState } => ({
    ...(state === 'suppressed' && { state }),
  }),
  component: lazyRouteComponent(loadOperations, 'FollowRecommendationsPage'),
})

const customEmojis = createRoute({
  getParentRoute: () => admin,
  path: '/custom_emojis',
  validateSearch: readEmojiFilters,
  component: lazyRouteComponent(loadOperations, 'CustomEmojisPage'),
})

const auditLog = createRoute({
  getParentRoute: () => admin,
  path: '/action_logs',
  validateSearch: readAuditLogFilters,
  component: lazyRouteComponent(loadOperations, 'AuditLogPage'),
})

const webhooks = createRoute({
  getParentRoute: () => admin,
  path: '/webhooks',
  component: lazyRouteComponent(loadOperations, 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => admin,
  path: '/webhooks/$id',
  component: lazyRouteComponent(loadOperations, 'WebhookPage'),
})

const relays = createRoute({
  getParentRoute: () => admin,
  path: '/relays',
  component: lazyRouteComponent(loadOperations, 'RelaysPage'),
})

const jobs = createRoute({
  getParentRoute: () => admin,
  path: '/jobs',
  validateSearch: readJobFilters,
  component: lazyRouteComponent(loadOperations, 'JobsPage'),
})

const mails = createRoute({
  getParentRoute: () => admin,
  path: '/mails',
  validateSearch: readMailFilters,
  component: lazyRouteComponent(loadOperations, 'MailsPage'),
})

const media = createRoute({
  getParentRoute: () => admin,
  path: '/media',
  component: lazyRouteComponent(loadOperations, 'MediaPage'),
})

const retentionPolicy = createRoute({
  getParentRoute: () => admin,
  path: '/retention_policy',
  component: lazyRouteComponent(loadOperations, 'RetentionPolicyPage'),
})

/** The pages of the administration. */
export const adminRoutes = admin.addChildren([
  dashboard,
  reports,
  report,
  approvals,
  appeals,
  accounts,
  account,
  domainBlocks,
  domainAllows,
  emailDomainBlocks,
  ipBlocks,
  usernameBlocks,
  warningPresets,
  settings,
  settingsPage,
  rules,
  announcements,
  announcement,
  roles,
  role,
  invites,
  deliveries,
  domainBlockUpload,
  domainBlockImport,
  canonicalEmailBlocks,
  trends,
  followRecommendations,
  customEmojis,
  auditLog,
  webhooks,
  webhook,
  relays,
  jobs,
  mails,
  media,
  retentionPolicy,
])
