import { Link, useParams, useSearch } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { AccountList } from '../../features/admin/accounts/account-list.tsx'
import { AccountView } from '../../features/admin/accounts/account-view.tsx'
import { AnnouncementForm } from '../../features/admin/announcements/announcement-form.tsx'
import { AnnouncementList, NewAnnouncementLink } from '../../features/admin/announcements/announcement-list.tsx'
import { AppealList } from '../../features/admin/appeals/appeal-list.tsx'
import { ApprovalList } from '../../features/admin/approvals/approval-list.tsx'
import { ExportButton } from '../../features/admin/block-lists/export-button.tsx'
import { ListToolbar } from '../../features/admin/block-lists/list-toolbar.tsx'
import {
  domainAllows,
  emailDomainBlocks,
  ipBlocks,
  usernameBlocks,
  warningPresets,
} from '../../features/admin/block-lists/resources.ts'
import { Dashboard } from '../../features/admin/dashboard/dashboard.tsx'
import { DeliveryList } from '../../features/admin/deliveries/delivery-list.tsx'
import { DomainBlockList, NewDomainBlock } from '../../features/admin/domain-blocks/domain-block-list.tsx'
import { InviteList, NewInviteButton } from '../../features/admin/invites/invite-list.tsx'
import { ReportList } from '../../features/admin/reports/report-list.tsx'
import { ReportView } from '../../features/admin/reports/report-view.tsx'
import { ResourcePage } from '../../features/admin/block-lists/resource-page.tsx'
import { RoleForm } from '../../features/admin/roles/role-form.tsx'
import { NewRoleLink, RoleList } from '../../features/admin/roles/role-list.tsx'
import { NewRule, RuleList } from '../../features/admin/rules/rule-list.tsx'
import { SETTINGS_PAGES } from '../../features/admin/settings/setting-sections.ts'
import { SettingsView } from '../../features/admin/settings/settings-view.tsx'
import { AdminPage } from '../../features/admin/shared/shell/admin-page.tsx'

export { AdminShell } from '../../features/admin/shared/shell/admin-shell.tsx'

export function DashboardPage() {
  return (
    <AdminPage title={message('web.account.administration')} permission={null}>
      <Dashboard />
    </AdminPage>
  )
}

export function ReportsPage() {
  const { filter = 'unresolved' } = useSearch({ from: '/admin/reports' })
  return (
    <AdminPage title={message('web.admin.nav.reports')} permission="manageReports">
      <ReportList filter={filter} />
    </AdminPage>
  )
}

export function ReportPage() {
  const { id } = useParams({ from: '/admin/reports/$id' })
  return (
    <AdminPage title={message('web.admin.reports.title', { id })} permission="manageReports" back>
      <ReportView id={id} />
    </AdminPage>
  )
}

export function ApprovalsPage() {
  return (
    <AdminPage title={message('web.admin.nav.approvals')} permission="manageUsers">
      <ApprovalList />
    </AdminPage>
  )
}

export function AppealsPage() {
  const { status = 'pending' } = useSearch({ from: '/admin/appeals' })
  return (
    <AdminPage title={message('web.admin.nav.appeals')} permission="manageAppeals">
      <AppealList status={status} />
    </AdminPage>
  )
}

export function AccountsPage() {
  const filters = useSearch({ from: '/admin/accounts' })
  return (
    <AdminPage title={message('web.admin.nav.accounts')} permission="manageUsers">
      <AccountList filters={filters} />
    </AdminPage>
  )
}

export function AccountPage() {
  const { id } = useParams({ from: '/admin/accounts/$id' })
  return (
    <AdminPage title={message('web.admin.account.title')} permission="manageUsers" back>
      <AccountView id={id} />
    </AdminPage>
  )
}

export function DomainBlocksPage() {
  return (
    <AdminPage title={message('web.admin.nav.domain_blocks')} permission="manageFederation" head={<NewDomainBlock />}>
      <ListToolbar>
        <Link to="/admin/domain_blocks/import" className="button button-line button-small">
          {message('web.admin.import')}
        </Link>
        <ExportButton list="domain_blocks" />
      </ListToolbar>
      <DomainBlockList />
    </AdminPage>
  )
}

export function DomainAllowsPage() {
  return <ResourcePage title={message('web.admin.nav.domain_allows')} resource={domainAllows()} />
}

export function EmailDomainBlocksPage() {
  return <ResourcePage title={message('web.admin.nav.email_domain_blocks')} resource={emailDomainBlocks()} />
}

export function IpBlocksPage() {
  return <ResourcePage title={message('web.admin.nav.ip_blocks')} resource={ipBlocks()} />
}

export function UsernameBlocksPage() {
  return <ResourcePage title={message('web.admin.nav.username_blocks')} resource={usernameBlocks()} />
}

export function WarningPresetsPage() {
  return <ResourcePage title={message('web.admin.nav.warning_presets')} resource={warningPresets()} />
}

export function SettingsPage() {
  const { page = 'general' } = useParams({ strict: false })
  const shown = SETTINGS_PAGES.find((name) => name === page) ?? 'general'
  return (
    <AdminPage title={message('web.admin.nav.settings')} permission="manageSettings">
      <SettingsView page={shown} />
    </AdminPage>
  )
}

export function RulesPage() {
  return (
    <AdminPage title={message('web.admin.nav.rules')} permission="manageRules" head={<NewRule />}>
      <RuleList />
    </AdminPage>
  )
}

export function AnnouncementsPage() {
  return (
    <AdminPage
      title={message('web.admin.nav.announcements')}
      permission="manageAnnouncements"
      head={<NewAnnouncementLink />}
    >
      <AnnouncementList />
    </AdminPage>
  )
}

export function AnnouncementPage() {
  const { id } = useParams({ from: '/admin/announcements/$id' })
  return (
    <AdminPage
      title={message(id === 'new' ? 'web.admin.announcements.new' : 'web.admin.announcements.edit')}
      permission="manageAnnouncements"
      back
    >
      <AnnouncementForm key={id} id={id} />
    </AdminPage>
  )
}

export function RolesPage() {
  return (
    <AdminPage title={message('web.admin.nav.roles')} permission="manageRoles" head={<NewRoleLink />}>
      <RoleList />
    </AdminPage>
  )
}

export function RolePage() {
  const { id } = useParams({ from: '/admin/roles/$id' })
  return (
    <AdminPage
      title={message(id === 'new' ? 'web.admin.roles.new' : 'web.admin.roles.edit')}
      permission="manageRoles"
      back
    >
      <RoleForm id={id} />
    </AdminPage>
  )
}

export function InvitesPage() {
  const { state = 'available' } = useSearch({ from: '/admin/invites' })
  return (
    <AdminPage title={message('web.admin.nav.invites')} permission="manageInvites" head={<NewInviteButton />}>
      <InviteList state={state} />
    </AdminPage>
  )
}

export function DeliveriesPage() {
  return (
    <AdminPage title={message('web.admin.nav.deliveries')} permission="devops">
      <DeliveryList />
    </AdminPage>
  )
}
