import type { IconName } from '../../../../ui/icon.tsx'
import type { Permission } from '../../../accounts/staff-permissions.ts'

/** The pages of the administration that have an entry in its navigation. */
export const ADMIN_SECTIONS = [
  { name: 'reports', to: '/admin/reports', icon: 'flag', permission: 'manageReports' },
  { name: 'approvals', to: '/admin/approvals', icon: 'follow', permission: 'manageUsers' },
  { name: 'appeals', to: '/admin/appeals', icon: 'reply', permission: 'manageAppeals' },
  { name: 'accounts', to: '/admin/accounts', icon: 'people', permission: 'manageUsers' },
  { name: 'domain_blocks', to: '/admin/domain_blocks', icon: 'block', permission: 'manageFederation' },
  { name: 'domain_allows', to: '/admin/domain_allows', icon: 'check', permission: 'manageFederation' },
  { name: 'email_domain_blocks', to: '/admin/email_domain_blocks', icon: 'mail', permission: 'manageBlocks' },
  { name: 'ip_blocks', to: '/admin/ip_blocks', icon: 'globe', permission: 'manageBlocks' },
  { name: 'username_blocks', to: '/admin/username_blocks', icon: 'at', permission: 'manageBlocks' },
  { name: 'warning_presets', to: '/admin/warning_presets', icon: 'warning', permission: 'manageSettings' },
  { name: 'deliveries', to: '/admin/deliveries', icon: 'external', permission: 'devops' },
] as const satisfies readonly { name: string; to: string; icon: IconName; permission: Permission }[]
