import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ReportFilter } from '../../features/admin/reports/report-queries.ts'
import type { AppealStatus } from '../../features/admin/appeals/appeal-list.tsx'
import type { InviteState } from '../../features/admin/invites/invite-queries.ts'
import { readAccountFilters } from '../../features/admin/accounts/account-filters.ts'
import { loadMessages } from '../../lib/i18n/messages.ts'
import { root } from '../root-route.ts'

/* The pages are loaded together, as one file. */
const load = () => import('./admin-pages.tsx')

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
])
