import type { IconName } from '../../../../ui/icons/icon.tsx'
import type { Permission } from '../../../accounts/staff-permissions.ts'

/** The pages of the administration that have an entry in its navigation, by the headings there. */
export const ADMIN_GROUPS = [
  {
    name: 'moderation',
    sections: [
      { name: 'reports', to: '/admin/reports', icon: 'flag', permission: 'manageReports' },
      { name: 'approvals', to: '/admin/approvals', icon: 'follow', permission: 'manageUsers' },
      { name: 'appeals', to: '/admin/appeals', icon: 'reply', permission: 'manageAppeals' },
      { name: 'warning_presets', to: '/admin/warning_presets', icon: 'warning', permission: 'manageSettings' },
      { name: 'action_logs', to: '/admin/action_logs', icon: 'list', permission: 'viewAuditLog' },
    ],
  },
  {
    name: 'people',
    sections: [
      { name: 'accounts', to: '/admin/accounts', icon: 'people', permission: 'manageUsers' },
      { name: 'roles', to: '/admin/roles', icon: 'shield', permission: 'manageRoles' },
      { name: 'invites', to: '/admin/invites', icon: 'share', permission: 'manageInvites' },
      { name: 'email_domain_blocks', to: '/admin/email_domain_blocks', icon: 'mail', permission: 'manageBlocks' },
      {
        name: 'canonical_email_blocks',
        to: '/admin/canonical_email_blocks',
        icon: 'hidden',
        permission: 'manageBlocks',
      },
      { name: 'ip_blocks', to: '/admin/ip_blocks', icon: 'globe', permission: 'manageBlocks' },
      { name: 'username_blocks', to: '/admin/username_blocks', icon: 'at', permission: 'manageBlocks' },
    ],
  },
  {
    name: 'federation',
    sections: [
      { name: 'domain_blocks', to: '/admin/domain_blocks', icon: 'block', permission: 'manageFederation' },
      { name: 'domain_allows', to: '/admin/domain_allows', icon: 'check', permission: 'manageFederation' },
      { name: 'relays', to: '/admin/relays', icon: 'boost', permission: 'manageFederation' },
      { name: 'deliveries', to: '/admin/deliveries', icon: 'external', permission: 'devops' },
    ],
  },
  {
    name: 'content',
    sections: [
      { name: 'trends', to: '/admin/trends', icon: 'explore', permission: 'manageTaxonomies' },
      {
        name: 'follow_recommendations',
        to: '/admin/follow_recommendations',
        icon: 'follow',
        permission: 'manageTaxonomies',
      },
      { name: 'custom_emojis', to: '/admin/custom_emojis', icon: 'smile', permission: 'manageCustomEmojis' },
      { name: 'announcements', to: '/admin/announcements', icon: 'bell', permission: 'manageAnnouncements' },
    ],
  },
  {
    name: 'server',
    sections: [
      { name: 'settings', to: '/admin/settings', icon: 'settings', permission: 'manageSettings' },
      { name: 'rules', to: '/admin/rules', icon: 'list', permission: 'manageRules' },
      { name: 'retention_policy', to: '/admin/retention_policy', icon: 'clock', permission: 'manageSettings' },
      { name: 'webhooks', to: '/admin/webhooks', icon: 'share', permission: 'manageWebhooks' },
    ],
  },
  {
    name: 'operations',
    sections: [
      { name: 'jobs', to: '/admin/jobs', icon: 'refresh', permission: 'devops' },
      { name: 'mails', to: '/admin/mails', icon: 'mail', permission: 'devops' },
      { name: 'media', to: '/admin/media', icon: 'image', permission: 'devops' },
    ],
  },
] as const satisfies readonly { name: string; sections: readonly Section[] }[]

/** The path of a page in the navigation. */
export type AdminPath = (typeof ADMIN_GROUPS)[number]['sections'][number]['to']

interface Section {
  name: string
  to: string
  icon: IconName
  permission: Permission
}
