import type { AdminAccount as ServerAdminAccount } from '../../../../src/entities/admin/accounts/admin-account.ts'
import type { AdminActionImpact as ServerActionImpact } from '../../../../src/entities/admin/accounts/admin-action-impact.ts'
import type { AdminInvite as ServerAdminInvite } from '../../../../src/entities/accounts/invite.ts'
import type { AdminAnnouncement as ServerAnnouncement } from '../../../../src/entities/admin/settings/admin-announcement.ts'
import type { AdminAppeal as ServerAdminAppeal } from '../../../../src/entities/admin/accounts/admin-appeal.ts'
import type { AdminDeliveryHost as ServerDeliveryHost } from '../../../../src/entities/admin/federation/admin-delivery-host.ts'
import type { AdminDocumentPreview as ServerDocumentPreview } from '../../../../src/entities/admin/settings/admin-document-preview.ts'
import type { AdminDomainBlock as ServerDomainBlock } from '../../../../src/entities/admin/federation/admin-domain-block.ts'
import type {
  AdminCohort as ServerCohort,
  AdminDimension as ServerDimension,
  AdminMeasure as ServerMeasure,
} from '../../../../src/entities/admin/operations/admin-metrics.ts'
import type { AdminNote as ServerAdminNote } from '../../../../src/entities/admin/accounts/admin-note.ts'
import type { AdminReport as ServerAdminReport } from '../../../../src/entities/admin/content/admin-report.ts'
import type { AdminRole as ServerAdminRole } from '../../../../src/entities/admin/accounts/admin-role.ts'
import type { AdminRule as ServerAdminRule } from '../../../../src/entities/admin/settings/admin-rule.ts'
import type { AdminStatusActionImpact as ServerStatusImpact } from '../../../../src/entities/admin/content/admin-status-action-impact.ts'
import type { AdminStrike as ServerAdminStrike } from '../../../../src/entities/admin/accounts/admin-strike.ts'
import type { AdminWarningPreset as ServerPreset } from '../../../../src/entities/admin/accounts/admin-warning-preset.ts'
import type { AdminDomainAllow as ServerDomainAllow } from '../../../../src/entities/admin/federation/admin-domain-allow.ts'
import type { AdminEmailDomainBlock as ServerEmailDomainBlock } from '../../../../src/entities/admin/sign-up-blocks/admin-email-domain-block.ts'
import type { AdminIpBlock as ServerIpBlock } from '../../../../src/entities/admin/sign-up-blocks/admin-ip-block.ts'
import type { AdminTermsOfService as ServerTermsOfService } from '../../../../src/entities/admin/settings/admin-terms-of-service.ts'
import type { AdminTermsRecipients as ServerTermsRecipients } from '../../../../src/entities/admin/settings/admin-terms-recipients.ts'
import type { AdminUsernameBlock as ServerUsernameBlock } from '../../../../src/entities/admin/sign-up-blocks/admin-username-block.ts'
import type { AdminAuditLogEntry as ServerAuditLogEntry } from '../../../../src/entities/admin/operations/admin-audit-log-entry.ts'
import type { AdminCanonicalEmailBlock as ServerCanonicalEmailBlock } from '../../../../src/entities/admin/sign-up-blocks/admin-canonical-email-block.ts'
import type { AdminCustomEmoji as ServerCustomEmoji } from '../../../../src/entities/admin/content/admin-custom-emoji.ts'
import type {
  AdminDomainBlockDraft as ServerDomainBlockDraft,
  AdminDomainBlockImport as ServerDomainBlockImport,
} from '../../../../src/entities/admin/federation/admin-domain-block-import.ts'
import type { AdminJob as ServerJob } from '../../../../src/entities/admin/operations/admin-job.ts'
import type { AdminMail as ServerMail } from '../../../../src/entities/admin/operations/admin-mail.ts'
import type { AdminMedia as ServerMedia } from '../../../../src/entities/admin/content/admin-media.ts'
import type { AdminRelay as ServerRelay } from '../../../../src/entities/admin/federation/admin-relay.ts'
import type { AdminRetentionPolicy as ServerRetentionPolicy } from '../../../../src/entities/admin/operations/admin-retention-policy.ts'
import type { AdminSuggestion as ServerSuggestion } from '../../../../src/entities/admin/content/admin-suggestion.ts'
import type { AdminTag as ServerTag } from '../../../../src/entities/admin/content/admin-tag.ts'
import type {
  AdminTrendsLink as ServerTrendsLink,
  AdminTrendsPublisher as ServerTrendsPublisher,
  AdminTrendsStatus as ServerTrendsStatus,
} from '../../../../src/entities/admin/content/admin-trends.ts'
import type {
  AdminWebhook as ServerWebhook,
  AdminWebhookDelivery as ServerWebhookDelivery,
} from '../../../../src/entities/admin/operations/admin-webhook.ts'
import type { CamelCased } from './camel-cased.ts'

/* The entities of the admin API as masto.js returns them, like those in `entities.ts`. */

export type AdminAccount = CamelCased<ServerAdminAccount>
export type AdminActionImpact = CamelCased<ServerActionImpact>
export type AdminAnnouncement = CamelCased<ServerAnnouncement>
export type AdminAppeal = CamelCased<ServerAdminAppeal>
export type AdminCohort = CamelCased<ServerCohort>
export type AdminDeliveryHost = CamelCased<ServerDeliveryHost>
export type AdminDimension = CamelCased<ServerDimension>
export type AdminDocumentPreview = CamelCased<ServerDocumentPreview>
export type AdminDomainBlock = CamelCased<ServerDomainBlock>
export type AdminMeasure = CamelCased<ServerMeasure>
export type AdminInvite = CamelCased<ServerAdminInvite>
export type AdminNote = CamelCased<ServerAdminNote>
export type AdminReport = CamelCased<ServerAdminReport>
export type AdminRole = CamelCased<ServerAdminRole>
export type AdminRule = CamelCased<ServerAdminRule>
export type AdminStatusActionImpact = CamelCased<ServerStatusImpact>
export type AdminStrike = CamelCased<ServerAdminStrike>
export type AdminTermsOfService = CamelCased<ServerTermsOfService>
export type AdminTermsRecipients = CamelCased<ServerTermsRecipients>
export type AdminWarningPreset = CamelCased<ServerPreset>
export type AdminDomainAllow = CamelCased<ServerDomainAllow>
export type AdminEmailDomainBlock = CamelCased<ServerEmailDomainBlock>
export type AdminIpBlock = CamelCased<ServerIpBlock>
export type AdminUsernameBlock = CamelCased<ServerUsernameBlock>
export type AdminAuditLogEntry = CamelCased<ServerAuditLogEntry>
export type AdminCanonicalEmailBlock = CamelCased<ServerCanonicalEmailBlock>
export type AdminCustomEmoji = CamelCased<ServerCustomEmoji>
export type AdminDomainBlockDraft = CamelCased<ServerDomainBlockDraft>
export type AdminDomainBlockImport = CamelCased<ServerDomainBlockImport>
export type AdminJob = CamelCased<ServerJob>
export type AdminMail = CamelCased<ServerMail>
export type AdminMedia = CamelCased<ServerMedia>
export type AdminRelay = CamelCased<ServerRelay>
export type AdminRetentionPolicy = CamelCased<ServerRetentionPolicy>
export type AdminSuggestion = CamelCased<ServerSuggestion>
export type AdminTag = CamelCased<ServerTag>
export type AdminTrendsLink = CamelCased<ServerTrendsLink>
export type AdminTrendsPublisher = CamelCased<ServerTrendsPublisher>
export type AdminTrendsStatus = CamelCased<ServerTrendsStatus>
export type AdminWebhook = CamelCased<ServerWebhook>
export type AdminWebhookDelivery = CamelCased<ServerWebhookDelivery>
