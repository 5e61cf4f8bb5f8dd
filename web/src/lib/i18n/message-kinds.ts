// Written by `npm run messages` from src/lib/messages/web-catalogues/en. Change a catalogue, then run it again.

/** The placeholders of every message: `text`, `number`, or `tag` for one that encloses a part of the message; `unknown`: it has none. */
export interface MessageKinds {
  'web.account.menu': { name: 'text' }
  'web.account.profile': unknown
  'web.account.switch': { name: 'text' }
  'web.account.add': unknown
  'web.account.settings': unknown
  'web.account.log-out': unknown
  'web.account.log-out-failed': unknown
  'web.logged-out.title': unknown
  'web.logged-out.text': unknown
  'web.logged-out.log-in': unknown
  'web.account.administration': unknown
  'web.edit-profile.name': unknown
  'web.edit-profile.bio': unknown
  'web.edit-profile.bio-hint': unknown
  'web.edit-profile.fields': unknown
  'web.edit-profile.fields-hint': unknown
  'web.edit-profile.label': { number: 'text' }
  'web.edit-profile.content': { number: 'text' }
  'web.edit-profile.privacy': unknown
  'web.edit-profile.locked': unknown
  'web.edit-profile.locked-hint': unknown
  'web.edit-profile.bot': unknown
  'web.edit-profile.bot-hint': unknown
  'web.edit-profile.discoverable': unknown
  'web.edit-profile.discoverable-hint': unknown
  'web.edit-profile.indexable': unknown
  'web.edit-profile.indexable-hint': unknown
  'web.edit-profile.hide-collections': unknown
  'web.edit-profile.hide-collections-hint': unknown
  'web.edit-profile.avatar': unknown
  'web.edit-profile.header': unknown
  'web.edit-profile.avatar-file': unknown
  'web.edit-profile.header-file': unknown
  'web.edit-profile.avatar-choose': unknown
  'web.edit-profile.header-choose': unknown
  'web.edit-profile.avatar-remove': unknown
  'web.edit-profile.header-remove': unknown
  'web.edit-profile.avatar-description': unknown
  'web.edit-profile.header-description': unknown
  'web.edit-profile.discard': unknown
  'web.edit-profile.saved': unknown
  'web.edit-profile.failed': unknown
  'web.list.lists': unknown
  'web.list.list': unknown
  'web.list.new': unknown
  'web.list.edit': unknown
  'web.list.create': unknown
  'web.list.delete': unknown
  'web.list.delete-title': unknown
  'web.list.delete-text': { title: 'text' }
  'web.list.delete-confirm': unknown
  'web.list.delete-failed': unknown
  'web.list.save-failed': unknown
  'web.list.menu': { title: 'text' }
  'web.list.title': unknown
  'web.list.replies': unknown
  'web.list.replies-none': unknown
  'web.list.replies-list': unknown
  'web.list.replies-followed': unknown
  'web.list.exclusive': unknown
  'web.list.exclusive-hint': unknown
  'web.list.empty': unknown
  'web.list.empty-hint': unknown
  'web.list.none': unknown
  'web.list.of-account': { name: 'text' }
  'web.list.members': unknown
  'web.list.search': unknown
  'web.list.results': unknown
  'web.list.no-members': unknown
  'web.list.no-results': unknown
  'web.list.add': unknown
  'web.list.remove': unknown
  'web.list.add-failed': unknown
  'web.list.remove-failed': unknown
  'web.list.timeline-empty': unknown
  'web.list.timeline-hint': unknown
  'web.save': unknown
  'web.profile.edit': unknown
  'web.profile.avatar': { name: 'text' }
  'web.profile.copy-handle': unknown
  'web.profile.copied': unknown
  'web.profile.copy-failed': { text: 'text' }
  'web.profile.bot': unknown
  'web.profile.group': unknown
  'web.profile.locked': unknown
  'web.profile.joined': { date: 'text' }
  'web.profile.verified': { date: 'text' }
  'web.profile.posts-count': { number: 'number'; count: 'text' }
  'web.profile.followers-count': { number: 'number'; count: 'text' }
  'web.profile.following-count': { number: 'number'; count: 'text' }
  'web.profile.followers': unknown
  'web.profile.following': unknown
  'web.profile.followers-of': { name: 'text' }
  'web.profile.following-of': { name: 'text' }
  'web.profile.no-followers': unknown
  'web.profile.no-following': unknown
  'web.profile.hidden-follows': unknown
  'web.profile.familiar-one': { name: 'text' }
  'web.profile.familiar-two': { first: 'text'; second: 'text' }
  'web.profile.familiar-more': { first: 'text'; second: 'text'; number: 'number'; count: 'text' }
  'web.profile.moved': { name: 'text' }
  'web.profile.go-to': unknown
  'web.profile.card': { name: 'text' }
  'web.profile.memorial': unknown
  'web.profile.blocked-by': unknown
  'web.profile.domain-blocked': { domain: 'text' }
  'web.profile.requested-by': { name: 'text' }
  'web.profile.limited': { domain: 'text' }
  'web.profile.show': unknown
  'web.profile.suspended': unknown
  'web.profile.unavailable': unknown
  'web.profile.unknown': unknown
  'web.profile.tabs': unknown
  'web.profile.tab-posts': unknown
  'web.profile.tab-media': unknown
  'web.profile.tab-featured': unknown
  'web.profile.filters': unknown
  'web.profile.replies': unknown
  'web.profile.boosts': unknown
  'web.profile.pinned': { count: 'number' }
  'web.profile.tagged': { tag: 'text' }
  'web.profile.remote-empty': { domain: 'text' }
  'web.profile.featured-empty': unknown
  'web.profile.featured-tags': unknown
  'web.profile.featured-accounts': unknown
  'web.profile.collections': unknown
  'web.profile.menu': { name: 'text' }
  'web.profile.mention': { name: 'text' }
  'web.profile.direct': { name: 'text' }
  'web.profile.notify': { name: 'text' }
  'web.profile.show-boosts': { name: 'text' }
  'web.profile.languages': unknown
  'web.profile.endorse': unknown
  'web.profile.lists': unknown
  'web.profile.add-to-collection': unknown
  'web.profile.copy-link': unknown
  'web.profile.open-original': unknown
  'web.profile.rss': unknown
  'web.profile.remove-follower': unknown
  'web.profile.remove-follower-title': unknown
  'web.profile.remove-follower-text': { name: 'text' }
  'web.profile.remove-follower-confirm': unknown
  'web.profile.mute': { name: 'text' }
  'web.profile.unmute': { name: 'text' }
  'web.profile.block': { name: 'text' }
  'web.profile.unblock': { name: 'text' }
  'web.profile.block-title': { name: 'text' }
  'web.profile.block-text': unknown
  'web.profile.block-confirm': unknown
  'web.profile.block-domain': { domain: 'text' }
  'web.profile.unblock-domain': { domain: 'text' }
  'web.profile.block-domain-title': { domain: 'text' }
  'web.profile.block-domain-text': { domain: 'text' }
  'web.profile.block-domain-confirm': unknown
  'web.profile.report': { name: 'text' }
  'web.note.label': unknown
  'web.note.placeholder': unknown
  'web.note.saved': unknown
  'web.languages.title': { name: 'text' }
  'web.languages.text': unknown
  'web.collection.title': unknown
  'web.collection.count': { number: 'number'; count: 'text' }
  'web.collection.sensitive': unknown
  'web.collection.empty': unknown
  'web.relationship.follow': unknown
  'web.relationship.follow-back': unknown
  'web.relationship.request': unknown
  'web.relationship.requested': unknown
  'web.relationship.following': unknown
  'web.relationship.mutual': unknown
  'web.relationship.unfollow': unknown
  'web.relationship.withdraw': unknown
  'web.relationship.follows-you': unknown
  'web.relationship.muted': unknown
  'web.relationship.mute': unknown
  'web.relationship.unmute': unknown
  'web.relationship.block': unknown
  'web.relationship.unblock': unknown
  'web.relationship.follow-failed': unknown
  'web.relationship.unfollow-failed': unknown
  'web.relationship.remove-follower-failed': unknown
  'web.relationship.mute-failed': unknown
  'web.relationship.unmute-failed': unknown
  'web.relationship.block-failed': unknown
  'web.relationship.unblock-failed': unknown
  'web.relationship.endorse-failed': unknown
  'web.relationship.unendorse-failed': unknown
  'web.relationship.accept-failed': unknown
  'web.relationship.reject-failed': unknown
  'web.relationship.note-failed': unknown
  'web.relationship.block-domain-failed': unknown
  'web.relationship.unblock-domain-failed': unknown
  'web.request.accept': unknown
  'web.request.reject': unknown
  'web.request.accepted': { name: 'text' }
  'web.request.rejected': { name: 'text' }
  'web.mute.title': { name: 'text' }
  'web.mute.text': unknown
  'web.mute.duration': unknown
  'web.mute.forever': unknown
  'web.mute.1-hour': unknown
  'web.mute.6-hours': unknown
  'web.mute.1-day': unknown
  'web.mute.3-days': unknown
  'web.mute.7-days': unknown
  'web.mute.notifications': unknown
  'web.mute.confirm': unknown
  'web.nav.more': unknown
  'web.nav.menu': unknown
  'web.accounts.requests': unknown
  'web.accounts.requests-empty': unknown
  'web.accounts.blocks': unknown
  'web.accounts.blocks-empty': unknown
  'web.accounts.mutes': unknown
  'web.accounts.mutes-empty': unknown
  'web.accounts.muted-until': { time: 'text' }
  'web.accounts.domain-blocks': unknown
  'web.accounts.domain-blocks-empty': unknown
  'web.accounts.bookmarks': unknown
  'web.accounts.bookmarks-empty': unknown
  'web.accounts.favourites': unknown
  'web.accounts.favourites-empty': unknown
  'web.accounts.directory': unknown
  'web.accounts.directory-empty': unknown
  'web.accounts.order': unknown
  'web.accounts.active': unknown
  'web.accounts.new': unknown
  'web.accounts.origin': unknown
  'web.report.title': { name: 'text' }
  'web.report.collection': { name: 'text' }
  'web.report.category': unknown
  'web.report.category.spam': unknown
  'web.report.category-hint.spam': unknown
  'web.report.category.legal': unknown
  'web.report.category-hint.legal': unknown
  'web.report.category.violation': unknown
  'web.report.category-hint.violation': unknown
  'web.report.category.other': unknown
  'web.report.category-hint.other': unknown
  'web.report.rules': unknown
  'web.report.comment': unknown
  'web.report.forward': { domain: 'text' }
  'web.report.forward-hint': unknown
  'web.report.send': unknown
  'web.report.sent': { name: 'text' }
  'web.report.failed': unknown
  'web.admin.not-permitted': unknown
  'web.admin.load-failed': unknown
  'web.admin.action-failed': unknown
  'web.admin.undo': unknown
  'web.admin.undone': unknown
  'web.admin.undo-failed': unknown
  'web.admin.more': unknown
  'web.admin.filter': unknown
  'web.admin.approve': unknown
  'web.admin.reject': unknown
  'web.admin.nav.label': unknown
  'web.admin.nav.dashboard': unknown
  'web.admin.nav.group.moderation': unknown
  'web.admin.nav.group.people': unknown
  'web.admin.nav.group.federation': unknown
  'web.admin.nav.group.content': unknown
  'web.admin.nav.group.server': unknown
  'web.admin.nav.group.operations': unknown
  'web.admin.nav.reports': unknown
  'web.admin.nav.approvals': unknown
  'web.admin.nav.appeals': unknown
  'web.admin.work.title': unknown
  'web.admin.work.reports': unknown
  'web.admin.work.approvals': unknown
  'web.admin.work.appeals': unknown
  'web.admin.work.deliveries': unknown
  'web.admin.work.oldest': unknown
  'web.admin.measure.title': unknown
  'web.admin.measure.new_users': unknown
  'web.admin.measure.active_users': unknown
  'web.admin.measure.interactions': unknown
  'web.admin.measure.opened_reports': unknown
  'web.admin.measure.resolved_reports': unknown
  'web.admin.measure.change': { change: 'text' }
  'web.admin.measure.table': unknown
  'web.admin.measure.day': unknown
  'web.admin.measure.maximum': { maximum: 'text' }
  'web.admin.measure.summary': { title: 'text'; total: 'text'; first: 'text'; last: 'text' }
  'web.admin.retention.title': unknown
  'web.admin.retention.text': unknown
  'web.admin.retention.month': unknown
  'web.admin.retention.new': unknown
  'web.admin.dimension.title': unknown
  'web.admin.dimension.empty': unknown
  'web.admin.dimension.servers': unknown
  'web.admin.dimension.languages': unknown
  'web.admin.dimension.sources': unknown
  'web.admin.dimension.space_usage': unknown
  'web.admin.dimension.software_versions': unknown
  'web.admin.reports.title': { id: 'text' }
  'web.admin.reports.empty': unknown
  'web.admin.reports.filter.unresolved': unknown
  'web.admin.reports.filter.mine': unknown
  'web.admin.reports.filter.resolved': unknown
  'web.admin.reports.category': unknown
  'web.admin.reports.category.spam': unknown
  'web.admin.reports.category.legal': unknown
  'web.admin.reports.category.violation': unknown
  'web.admin.reports.category.other': unknown
  'web.admin.reports.rules': unknown
  'web.admin.reports.posts': { count: 'number' }
  'web.admin.reports.no-posts': unknown
  'web.admin.reports.collections': { count: 'number' }
  'web.admin.reports.parent-gone': unknown
  'web.admin.reports.no-comment': unknown
  'web.admin.reports.by-reporter': { count: 'number' }
  'web.admin.reports.unassigned': unknown
  'web.admin.reports.assigned-to': { name: 'text' }
  'web.admin.reports.assign': unknown
  'web.admin.reports.unassign': unknown
  'web.admin.reports.resolved': unknown
  'web.admin.reports.resolved-by': { name: 'text' }
  'web.admin.reports.reopen': unknown
  'web.admin.reports.target': unknown
  'web.admin.reports.joined': unknown
  'web.admin.reports.rate': unknown
  'web.admin.reports.followers': unknown
  'web.admin.reports.server': unknown
  'web.admin.reports.others': { count: 'number' }
  'web.admin.reports.strikes': { count: 'number' }
  'web.admin.reports.open': unknown
  'web.admin.reports.closed': unknown
  'web.admin.state.suspended': unknown
  'web.admin.state.silenced': unknown
  'web.admin.state.sensitized': unknown
  'web.admin.state.disabled': unknown
  'web.admin.strike.none': unknown
  'web.admin.strike.disable': unknown
  'web.admin.strike.mark_statuses_as_sensitive': unknown
  'web.admin.strike.delete_statuses': unknown
  'web.admin.strike.sensitive': unknown
  'web.admin.strike.silence': unknown
  'web.admin.strike.suspend': unknown
  'web.admin.notes.title': unknown
  'web.admin.notes.new': unknown
  'web.admin.notes.add': unknown
  'web.admin.notes.delete': unknown
  'web.admin.notes.deleted': unknown
  'web.admin.decision.label': unknown
  'web.admin.decision.preset': unknown
  'web.admin.decision.no-preset': unknown
  'web.admin.decision.mail': unknown
  'web.admin.decision.note': unknown
  'web.admin.decision.notify': unknown
  'web.admin.decision.dismiss.label': unknown
  'web.admin.decision.dismiss.title': { name: 'text' }
  'web.admin.decision.dismiss.text': unknown
  'web.admin.decision.dismiss.done': { name: 'text' }
  'web.admin.decision.sensitive.label': unknown
  'web.admin.decision.sensitive.title': { name: 'text' }
  'web.admin.decision.sensitive.text': unknown
  'web.admin.decision.sensitive.done': { name: 'text' }
  'web.admin.decision.delete.label': unknown
  'web.admin.decision.delete.title': { name: 'text' }
  'web.admin.decision.delete.text': unknown
  'web.admin.decision.delete.done': { name: 'text' }
  'web.admin.decision.warn.label': unknown
  'web.admin.decision.warn.title': { name: 'text' }
  'web.admin.decision.warn.text': unknown
  'web.admin.decision.warn.done': { name: 'text' }
  'web.admin.decision.limit.label': unknown
  'web.admin.decision.limit.title': { name: 'text' }
  'web.admin.decision.limit.text': unknown
  'web.admin.decision.limit.done': { name: 'text' }
  'web.admin.decision.suspend.label': unknown
  'web.admin.decision.suspend.title': { name: 'text' }
  'web.admin.decision.suspend.text': unknown
  'web.admin.decision.suspend.done': { name: 'text' }
  'web.admin.impact.title': unknown
  'web.admin.impact.none': unknown
  'web.admin.impact.final': unknown
  'web.admin.impact.reversible': unknown
  'web.admin.impact.reversible-until': { time: 'text' }
  'web.admin.impact.statusesCount': unknown
  'web.admin.impact.repliesCount': unknown
  'web.admin.impact.reblogsCount': unknown
  'web.admin.impact.favouritesCount': unknown
  'web.admin.impact.bookmarksCount': unknown
  'web.admin.impact.quotesCount': unknown
  'web.admin.impact.localFollowersCount': unknown
  'web.admin.impact.remoteFollowersCount': unknown
  'web.admin.impact.localFollowingCount': unknown
  'web.admin.impact.remoteFollowingCount': unknown
  'web.admin.impact.lostFollowsCount': unknown
  'web.admin.impact.followRequestsCount': unknown
  'web.admin.impact.listsCount': unknown
  'web.admin.impact.collectionsCount': unknown
  'web.admin.impact.openReportsCount': unknown
  'web.admin.impact.sessionsCount': unknown
  'web.admin.impact.applicationsCount': unknown
  'web.admin.impact.scheduledStatusesCount': unknown
  'web.admin.impact.mediaFilesCount': unknown
  'web.admin.impact.serversCount': unknown
  'web.admin.account.email': unknown
  'web.admin.account.unconfirmed': unknown
  'web.admin.account.ip': unknown
  'web.admin.account.locale': unknown
  'web.admin.approvals.empty': unknown
  'web.admin.approvals.approve.done': { name: 'text' }
  'web.admin.approvals.reject.done': { name: 'text' }
  'web.admin.approvals.reject.title': { name: 'text' }
  'web.admin.approvals.reject.text': unknown
  'web.admin.appeals.pending': unknown
  'web.admin.appeals.approved': unknown
  'web.admin.appeals.rejected': unknown
  'web.admin.appeals.state.approved': unknown
  'web.admin.appeals.state.rejected': unknown
  'web.admin.appeals.empty': unknown
  'web.admin.appeals.report': unknown
  'web.admin.appeals.approve.title': { name: 'text' }
  'web.admin.appeals.approve.text': unknown
  'web.admin.appeals.approve.done': { name: 'text' }
  'web.admin.appeals.reject.title': { name: 'text' }
  'web.admin.appeals.reject.text': unknown
  'web.admin.appeals.reject.done': { name: 'text' }
  'web.admin.nav.accounts': unknown
  'web.admin.state.pending': unknown
  'web.admin.decision.freeze.label': unknown
  'web.admin.decision.freeze.title': { name: 'text' }
  'web.admin.decision.freeze.text': unknown
  'web.admin.decision.freeze.done': { name: 'text' }
  'web.admin.end.freeze': unknown
  'web.admin.end.sensitive': unknown
  'web.admin.end.limit': unknown
  'web.admin.end.suspend': unknown
  'web.admin.end.freeze.done': { name: 'text' }
  'web.admin.end.sensitive.done': { name: 'text' }
  'web.admin.end.limit.done': { name: 'text' }
  'web.admin.end.suspend.done': { name: 'text' }
  'web.admin.erase.label': unknown
  'web.admin.erase.title': { name: 'text' }
  'web.admin.erase.done': { name: 'text' }
  'web.admin.account.title': unknown
  'web.admin.account.role': unknown
  'web.admin.account.no-role': unknown
  'web.admin.account.role.done': { name: 'text' }
  'web.admin.account.posts': unknown
  'web.admin.account.reason': unknown
  'web.admin.account.inviter': unknown
  'web.admin.account.invited': unknown
  'web.admin.account.show-list': unknown
  'web.admin.account.ips': unknown
  'web.admin.account.actions': unknown
  'web.admin.account.purge': { time: 'text' }
  'web.admin.accounts.open': unknown
  'web.admin.accounts.empty': unknown
  'web.admin.accounts.all': unknown
  'web.admin.accounts.apply': unknown
  'web.admin.accounts.reset': unknown
  'web.admin.accounts.origin': unknown
  'web.admin.accounts.origin.local': unknown
  'web.admin.accounts.origin.remote': unknown
  'web.admin.accounts.status': unknown
  'web.admin.accounts.status.active': unknown
  'web.admin.accounts.status.pending': unknown
  'web.admin.accounts.status.disabled': unknown
  'web.admin.accounts.status.sensitized': unknown
  'web.admin.accounts.status.silenced': unknown
  'web.admin.accounts.status.suspended': unknown
  'web.admin.accounts.permissions': unknown
  'web.admin.accounts.staff': unknown
  'web.admin.accounts.username': unknown
  'web.admin.accounts.displayName': unknown
  'web.admin.accounts.byDomain': unknown
  'web.admin.accounts.email': unknown
  'web.admin.accounts.ip': unknown
  'web.admin.accounts.invited': unknown
  'web.admin.nav.domain_blocks': unknown
  'web.admin.save': unknown
  'web.admin.edit': unknown
  'web.admin.delete': unknown
  'web.admin.edit-name': { name: 'text' }
  'web.admin.delete-name': { name: 'text' }
  'web.admin.domain-blocks.empty': unknown
  'web.admin.domain-blocks.new': unknown
  'web.admin.domain-blocks.block': unknown
  'web.admin.domain-blocks.domain': unknown
  'web.admin.domain-blocks.created': { domain: 'text' }
  'web.admin.domain-blocks.changed': { domain: 'text' }
  'web.admin.domain-blocks.deleted': { domain: 'text' }
  'web.admin.domain-blocks.severity': unknown
  'web.admin.domain-blocks.severity.silence': unknown
  'web.admin.domain-blocks.severity.suspend': unknown
  'web.admin.domain-blocks.severity.noop': unknown
  'web.admin.domain-blocks.explained.silence': unknown
  'web.admin.domain-blocks.explained.suspend': unknown
  'web.admin.domain-blocks.explained.noop': unknown
  'web.admin.domain-blocks.rejectMedia': unknown
  'web.admin.domain-blocks.rejectReports': unknown
  'web.admin.domain-blocks.obfuscate': unknown
  'web.admin.domain-blocks.privateComment': unknown
  'web.admin.domain-blocks.for-staff': { comment: 'text' }
  'web.admin.domain-blocks.publicComment': unknown
  'web.admin.domain-blocks.preview.accountsCount': unknown
  'web.admin.domain-blocks.preview.statusesCount': unknown
  'web.admin.domain-blocks.preview.followingCount': unknown
  'web.admin.domain-blocks.preview.followersCount': unknown
  'web.admin.domain-blocks.preview.usersCount': unknown
  'web.admin.domain-blocks.preview.reportsCount': unknown
  'web.admin.domain-blocks.preview.mediaFilesCount': unknown
  'web.admin.nav.domain_allows': unknown
  'web.admin.nav.email_domain_blocks': unknown
  'web.admin.nav.ip_blocks': unknown
  'web.admin.nav.username_blocks': unknown
  'web.admin.nav.warning_presets': unknown
  'web.admin.saved': { name: 'text' }
  'web.admin.deleted': { name: 'text' }
  'web.admin.blocks.allow-with-approval': unknown
  'web.admin.blocks.approval': unknown
  'web.admin.blocks.refused': unknown
  'web.admin.domain-allows.empty': unknown
  'web.admin.domain-allows.new': unknown
  'web.admin.email-blocks.empty': unknown
  'web.admin.email-blocks.new': unknown
  'web.admin.ip-blocks.empty': unknown
  'web.admin.ip-blocks.new': unknown
  'web.admin.ip-blocks.ip': unknown
  'web.admin.ip-blocks.severity.sign_up_requires_approval': unknown
  'web.admin.ip-blocks.severity.sign_up_block': unknown
  'web.admin.ip-blocks.severity.no_access': unknown
  'web.admin.ip-blocks.expires': unknown
  'web.admin.ip-blocks.expires.unchanged': { time: 'text' }
  'web.admin.ip-blocks.expires.never': unknown
  'web.admin.ip-blocks.expires.day': unknown
  'web.admin.ip-blocks.expires.weeks': unknown
  'web.admin.ip-blocks.expires.month': unknown
  'web.admin.ip-blocks.expires.year': unknown
  'web.admin.ip-blocks.until': { time: 'text' }
  'web.admin.ip-blocks.comment': unknown
  'web.admin.username-blocks.empty': unknown
  'web.admin.username-blocks.new': unknown
  'web.admin.username-blocks.comparison': unknown
  'web.admin.username-blocks.equals': unknown
  'web.admin.username-blocks.contains': unknown
  'web.admin.presets.empty': unknown
  'web.admin.presets.new': unknown
  'web.admin.presets.title': unknown
  'web.admin.presets.text': unknown
  'web.admin.nav.deliveries': unknown
  'web.admin.deliveries.empty': unknown
  'web.admin.deliveries.unavailable': unknown
  'web.admin.deliveries.pending': { count: 'text' }
  'web.admin.deliveries.delivered': { count: 'text' }
  'web.admin.deliveries.rejected': { count: 'text' }
  'web.admin.deliveries.abandoned': { count: 'text' }
  'web.admin.deliveries.retried': { domain: 'text' }
  'web.admin.deliveries.drop': { domain: 'text' }
  'web.admin.deliveries.dropped': { domain: 'text' }
  'web.admin.audit.action': unknown
  'web.admin.audit.target': unknown
  'web.admin.audit.empty': unknown
  'web.admin.audit.no-match': unknown
  'web.admin.audit.only-target': unknown
  'web.admin.audit.only-account': unknown
  'web.admin.audit.no-account': unknown
  'web.admin.audit.history': unknown
  'web.admin.audit.local-accounts': unknown
  'web.admin.audit.remote-accounts': unknown
  'web.admin.audit.unreferenced-files': unknown
  'web.admin.audit.assigned-account': unknown
  'web.admin.audit.detail.accounts': unknown
  'web.admin.audit.detail.category': unknown
  'web.admin.audit.detail.count': unknown
  'web.admin.audit.detail.deliveries': unknown
  'web.admin.audit.detail.description': unknown
  'web.admin.audit.detail.emojis': unknown
  'web.admin.audit.detail.enabled': unknown
  'web.admin.audit.detail.event': unknown
  'web.admin.audit.detail.image': unknown
  'web.admin.audit.detail.includeSubdomains': unknown
  'web.admin.audit.detail.language': unknown
  'web.admin.audit.detail.new': unknown
  'web.admin.audit.detail.newCharacters': unknown
  'web.admin.audit.detail.old': unknown
  'web.admin.audit.detail.oldCharacters': unknown
  'web.admin.audit.detail.role': unknown
  'web.admin.audit.detail.rows': unknown
  'web.admin.audit.detail.scopes': unknown
  'web.admin.audit.target.account': unknown
  'web.admin.audit.target.account_moderation_note': unknown
  'web.admin.audit.target.announcement': unknown
  'web.admin.audit.target.appeal': unknown
  'web.admin.audit.target.canonical_email_block': unknown
  'web.admin.audit.target.custom_emoji': unknown
  'web.admin.audit.target.custom_emoji_category': unknown
  'web.admin.audit.target.domain': unknown
  'web.admin.audit.target.domain_allow': unknown
  'web.admin.audit.target.domain_block': unknown
  'web.admin.audit.target.domain_block_import': unknown
  'web.admin.audit.target.email_domain_block': unknown
  'web.admin.audit.target.host': unknown
  'web.admin.audit.target.invite': unknown
  'web.admin.audit.target.ip_block': unknown
  'web.admin.audit.target.job': unknown
  'web.admin.audit.target.mail': unknown
  'web.admin.audit.target.media_cache': unknown
  'web.admin.audit.target.preview_card': unknown
  'web.admin.audit.target.preview_card_provider': unknown
  'web.admin.audit.target.relay': unknown
  'web.admin.audit.target.report': unknown
  'web.admin.audit.target.report_note': unknown
  'web.admin.audit.target.retention_policy': unknown
  'web.admin.audit.target.role': unknown
  'web.admin.audit.target.rule': unknown
  'web.admin.audit.target.search_index': unknown
  'web.admin.audit.target.setting': unknown
  'web.admin.audit.target.status': unknown
  'web.admin.audit.target.tag': unknown
  'web.admin.audit.target.terms_of_service': unknown
  'web.admin.audit.target.username_block': unknown
  'web.admin.audit.target.warning_preset': unknown
  'web.admin.audit.target.webhook': unknown
  'web.admin.audit.action.approve': unknown
  'web.admin.audit.action.assign': unknown
  'web.admin.audit.action.change_email': unknown
  'web.admin.audit.action.change_role': unknown
  'web.admin.audit.action.clear_feeds': unknown
  'web.admin.audit.action.confirm': unknown
  'web.admin.audit.action.copy': unknown
  'web.admin.audit.action.create': unknown
  'web.admin.audit.action.create_token': unknown
  'web.admin.audit.action.delete': unknown
  'web.admin.audit.action.disable': unknown
  'web.admin.audit.action.disable_2fa': unknown
  'web.admin.audit.action.drop': unknown
  'web.admin.audit.action.enable': unknown
  'web.admin.audit.action.expire': unknown
  'web.admin.audit.action.expire_all': unknown
  'web.admin.audit.action.mark_as_sensitive': unknown
  'web.admin.audit.action.memorialize': unknown
  'web.admin.audit.action.migrate': unknown
  'web.admin.audit.action.notify': unknown
  'web.admin.audit.action.prune': unknown
  'web.admin.audit.action.publish': unknown
  'web.admin.audit.action.purge': unknown
  'web.admin.audit.action.rebuild': unknown
  'web.admin.audit.action.rebuild_feeds': unknown
  'web.admin.audit.action.redeliver': unknown
  'web.admin.audit.action.reject': unknown
  'web.admin.audit.action.remove_translation': unknown
  'web.admin.audit.action.rename': unknown
  'web.admin.audit.action.reopen': unknown
  'web.admin.audit.action.reorder': unknown
  'web.admin.audit.action.reset': unknown
  'web.admin.audit.action.reset_password': unknown
  'web.admin.audit.action.resolve': unknown
  'web.admin.audit.action.restore': unknown
  'web.admin.audit.action.restore_suggestion': unknown
  'web.admin.audit.action.retry': unknown
  'web.admin.audit.action.rotate_keys': unknown
  'web.admin.audit.action.rotate_secret': unknown
  'web.admin.audit.action.run': unknown
  'web.admin.audit.action.sensitive': unknown
  'web.admin.audit.action.silence': unknown
  'web.admin.audit.action.suppress_suggestion': unknown
  'web.admin.audit.action.suspend': unknown
  'web.admin.audit.action.test': unknown
  'web.admin.audit.action.translate': unknown
  'web.admin.audit.action.unassign': unknown
  'web.admin.audit.action.unmemorialize': unknown
  'web.admin.audit.action.unpublish': unknown
  'web.admin.audit.action.unsensitive': unknown
  'web.admin.audit.action.unsilence': unknown
  'web.admin.audit.action.unsuspend': unknown
  'web.admin.audit.action.update': unknown
  'web.admin.audit.action.warn': unknown
  'web.admin.relays.new': unknown
  'web.admin.relays.empty': unknown
  'web.admin.relays.intro': unknown
  'web.admin.relays.inbox': unknown
  'web.admin.relays.hint': unknown
  'web.admin.relays.state.idle': unknown
  'web.admin.relays.state.pending': unknown
  'web.admin.relays.state.accepted': unknown
  'web.admin.relays.state.rejected': unknown
  'web.admin.canonical-blocks.new': unknown
  'web.admin.canonical-blocks.empty': unknown
  'web.admin.canonical-blocks.intro': unknown
  'web.admin.canonical-blocks.hint': unknown
  'web.admin.canonical-blocks.test': unknown
  'web.admin.canonical-blocks.test-button': unknown
  'web.admin.canonical-blocks.blocked': { email: 'text' }
  'web.admin.canonical-blocks.not-blocked': { email: 'text' }
  'web.admin.imports.new': unknown
  'web.admin.imports.title': unknown
  'web.admin.imports.earlier': unknown
  'web.admin.imports.earlier.note': unknown
  'web.admin.imports.count': { label: 'text'; count: 'text' }
  'web.admin.imports.text': unknown
  'web.admin.imports.file': unknown
  'web.admin.imports.file-hint': unknown
  'web.admin.imports.upload': unknown
  'web.admin.imports.state.draft': unknown
  'web.admin.imports.state.applying': unknown
  'web.admin.imports.state.applied': unknown
  'web.admin.imports.newCount': unknown
  'web.admin.imports.changedCount': unknown
  'web.admin.imports.unchangedCount': unknown
  'web.admin.imports.invalidCount': unknown
  'web.admin.imports.appliedCount': unknown
  'web.admin.imports.skippedCount': unknown
  'web.admin.imports.failedCount': unknown
  'web.admin.imports.status.new': unknown
  'web.admin.imports.status.changed': unknown
  'web.admin.imports.status.unchanged': unknown
  'web.admin.imports.status.invalid': unknown
  'web.admin.imports.draft.selected': unknown
  'web.admin.imports.draft.applied': unknown
  'web.admin.imports.draft.skipped': unknown
  'web.admin.imports.draft.failed': unknown
  'web.admin.imports.weakens': unknown
  'web.admin.imports.error.comment_too_long': unknown
  'web.admin.imports.error.invalid_domain': unknown
  'web.admin.imports.error.invalid_value': unknown
  'web.admin.imports.error.obfuscated_domain': unknown
  'web.admin.imports.error.own_domain': unknown
  'web.admin.imports.error.repeated': { line: 'text' }
  'web.admin.imports.error.unknown_severity': unknown
  'web.admin.imports.line': { line: 'text' }
  'web.admin.imports.accounts': { count: 'number' }
  'web.admin.imports.follows': { count: 'number' }
  'web.admin.imports.overwrite': unknown
  'web.admin.imports.overwrite-text': unknown
  'web.admin.imports.apply': unknown
  'web.admin.imports.apply-all': { count: 'number' }
  'web.admin.imports.apply-selected': { count: 'number' }
  'web.admin.imports.confirm-title': { count: 'number' }
  'web.admin.imports.confirm-text': unknown
  'web.admin.imports.confirmed': { count: 'number' }
  'web.admin.imports.discard': unknown
  'web.admin.imports.discard-title': unknown
  'web.admin.imports.discard-text': unknown
  'web.admin.imports.discarded': unknown
  'web.admin.emojis.new': unknown
  'web.admin.emojis.empty': unknown
  'web.admin.emojis.no-match': unknown
  'web.admin.emojis.shortcode': unknown
  'web.admin.emojis.shortcode-hint': unknown
  'web.admin.emojis.shortcode-filter': unknown
  'web.admin.emojis.image': unknown
  'web.admin.emojis.new-image': unknown
  'web.admin.emojis.image-hint': unknown
  'web.admin.emojis.category': unknown
  'web.admin.emojis.category-hint': unknown
  'web.admin.emojis.categories': unknown
  'web.admin.emojis.rename': unknown
  'web.admin.emojis.rename-title': { name: 'text' }
  'web.admin.emojis.joins': { name: 'text' }
  'web.admin.emojis.listed': unknown
  'web.admin.emojis.unlisted': unknown
  'web.admin.emojis.disabled': unknown
  'web.admin.emojis.state.enabled': unknown
  'web.admin.emojis.state.disabled': unknown
  'web.admin.emojis.copy': unknown
  'web.admin.emojis.copy-title': { name: 'text' }
  'web.admin.emojis.copy-text': unknown
  'web.admin.emojis.copied': { name: 'text' }
  'web.admin.emojis.delete-text': unknown
  'web.admin.attempts': { count: 'number' }
  'web.admin.next-attempt': { time: 'text' }
  'web.admin.retried': { name: 'text' }
  'web.admin.delete-question': { name: 'text' }
  'web.admin.enable': unknown
  'web.admin.disable': unknown
  'web.admin.enabled-name': { name: 'text' }
  'web.admin.disabled-name': { name: 'text' }
  'web.admin.state': unknown
  'web.admin.export': unknown
  'web.admin.import': unknown
  'web.admin.selection': unknown
  'web.admin.select-all': unknown
  'web.admin.select-shown': unknown
  'web.admin.selected-count': { count: 'number' }
  'web.admin.nav.action_logs': unknown
  'web.admin.nav.canonical_email_blocks': unknown
  'web.admin.nav.custom_emojis': unknown
  'web.admin.nav.follow_recommendations': unknown
  'web.admin.nav.jobs': unknown
  'web.admin.nav.mails': unknown
  'web.admin.nav.media': unknown
  'web.admin.nav.relays': unknown
  'web.admin.nav.retention_policy': unknown
  'web.admin.nav.trends': unknown
  'web.admin.nav.webhooks': unknown
  'web.admin.jobs.empty': unknown
  'web.admin.jobs.queue': { queue: 'text' }
  'web.admin.jobs.attempts': { attempts: 'text'; maximum: 'text' }
  'web.admin.jobs.delete-text': unknown
  'web.admin.jobs.state.dead': unknown
  'web.admin.jobs.state.retrying': unknown
  'web.admin.jobs.state.running': unknown
  'web.admin.jobs.state.waiting': unknown
  'web.admin.jobs.state.parked': unknown
  'web.admin.jobs.explained.dead': unknown
  'web.admin.jobs.explained.retrying': unknown
  'web.admin.jobs.explained.running': unknown
  'web.admin.jobs.explained.waiting': unknown
  'web.admin.jobs.explained.parked': unknown
  'web.admin.mails.empty': unknown
  'web.admin.mails.explained': unknown
  'web.admin.mails.explained.failed': unknown
  'web.admin.mails.explained.stored': unknown
  'web.admin.mails.explained.queued': unknown
  'web.admin.mails.state.failed': unknown
  'web.admin.mails.state.stored': unknown
  'web.admin.mails.state.queued': unknown
  'web.admin.mails.send': unknown
  'web.admin.mails.queued': { recipient: 'text' }
  'web.admin.mails.delete-question': { recipient: 'text' }
  'web.admin.mails.delete-text': unknown
  'web.admin.mails.deleted': { recipient: 'text' }
  'web.admin.media.cache': unknown
  'web.admin.media.cache-disabled': unknown
  'web.admin.media.cache-size': { bytes: 'text'; maximum: 'text'; part: 'text'; files: 'text' }
  'web.admin.media.purge': unknown
  'web.admin.media.purge-start': unknown
  'web.admin.media.purge-text': unknown
  'web.admin.media.purge-started': unknown
  'web.admin.media.purge-runs': unknown
  'web.admin.media.last-purge': unknown
  'web.admin.media.days': unknown
  'web.admin.media.domain-hint': unknown
  'web.admin.media.profiles': unknown
  'web.admin.media.keepInteracted': unknown
  'web.admin.media.started': unknown
  'web.admin.media.finished': unknown
  'web.admin.media.removed': unknown
  'web.admin.media.usage': unknown
  'web.admin.media.not-measured': unknown
  'web.admin.media.measured': { time: 'text' }
  'web.admin.media.kind': unknown
  'web.admin.media.files': unknown
  'web.admin.media.size': unknown
  'web.admin.media.kind.attachments': unknown
  'web.admin.media.kind.processing': unknown
  'web.admin.media.kind.thumbnails': unknown
  'web.admin.media.kind.previews': unknown
  'web.admin.media.kind.avatars': unknown
  'web.admin.media.kind.headers': unknown
  'web.admin.media.kind.emojis': unknown
  'web.admin.media.kind.preview_cards': unknown
  'web.admin.retention-policy.periods': unknown
  'web.admin.retention-policy.text': unknown
  'web.admin.retention-policy.remoteStatusesDays': unknown
  'web.admin.retention-policy.remoteStatusesDays.hint': unknown
  'web.admin.retention-policy.notificationsDays': unknown
  'web.admin.retention-policy.notificationsDays.hint': unknown
  'web.admin.retention-policy.remoteVersionsDays': unknown
  'web.admin.retention-policy.remoteVersionsDays.hint': unknown
  'web.admin.retention-policy.localVersionsDays': unknown
  'web.admin.retention-policy.localVersionsDays.hint': unknown
  'web.admin.retention-policy.saved': unknown
  'web.admin.retention-policy.areas': unknown
  'web.admin.retention-policy.area': unknown
  'web.admin.retention-policy.rows': unknown
  'web.admin.retention-policy.about': { count: 'text' }
  'web.admin.retention-policy.last-run': unknown
  'web.admin.retention-policy.next-run': unknown
  'web.admin.retention-policy.never': unknown
  'web.admin.retention-policy.run': { time: 'text'; count: 'number' }
  'web.admin.retention-policy.run-now': unknown
  'web.admin.retention-policy.run-now.title': unknown
  'web.admin.retention-policy.run-now.text': unknown
  'web.admin.retention-policy.run-now.started': unknown
  'web.admin.retention-policy.running': unknown
  'web.admin.retention-policy.continuous': unknown
  'web.admin.retention-policy.disabled': unknown
  'web.admin.retention-policy.area.remote_statuses': unknown
  'web.admin.retention-policy.area.notifications': unknown
  'web.admin.retention-policy.area.status_versions': unknown
  'web.admin.retention-policy.area.media_cache': unknown
  'web.admin.nav.settings': unknown
  'web.admin.nav.rules': unknown
  'web.admin.nav.announcements': unknown
  'web.admin.nav.roles': unknown
  'web.admin.nav.invites': unknown
  'web.admin.discard': unknown
  'web.admin.unsaved': unknown
  'web.admin.publish': unknown
  'web.admin.preview': unknown
  'web.admin.preview.of': { name: 'text' }
  'web.admin.preview.blank': unknown
  'web.admin.preview.failed': unknown
  'web.admin.markdown': unknown
  'web.admin.settings.pages': unknown
  'web.admin.settings.page.general': unknown
  'web.admin.settings.page.registrations': unknown
  'web.admin.settings.page.discovery': unknown
  'web.admin.settings.page.texts': unknown
  'web.admin.settings.page.terms': unknown
  'web.admin.settings.saved': unknown
  'web.admin.settings.mail': unknown
  'web.admin.settings.open-about': unknown
  'web.admin.settings.open-privacy': unknown
  'web.admin.settings.group.server': unknown
  'web.admin.settings.group.contact': unknown
  'web.admin.settings.group.archives': unknown
  'web.admin.settings.group.mode': unknown
  'web.admin.settings.group.limits': unknown
  'web.admin.settings.group.start': unknown
  'web.admin.settings.group.timelines': unknown
  'web.admin.settings.group.discovery': unknown
  'web.admin.settings.group.published': unknown
  'web.admin.settings.group.texts': unknown
  'web.admin.settings.image.save': unknown
  'web.admin.settings.image.saved': unknown
  'web.admin.settings.icon': unknown
  'web.admin.settings.icon.hint': unknown
  'web.admin.settings.icon.file': unknown
  'web.admin.settings.icon.choose': unknown
  'web.admin.settings.icon.remove': unknown
  'web.admin.settings.icon.save': unknown
  'web.admin.settings.icon.saved': unknown
  'web.admin.choice.access.public': unknown
  'web.admin.choice.access.authenticated': unknown
  'web.admin.choice.access.disabled': unknown
  'web.admin.choice.audience.all': unknown
  'web.admin.choice.audience.users': unknown
  'web.admin.choice.audience.disabled': unknown
  'web.admin.choice.registrations.open': unknown
  'web.admin.choice.registrations.approved': unknown
  'web.admin.choice.registrations.none': unknown
  'web.admin.setting.title': unknown
  'web.admin.setting.title.hint': unknown
  'web.admin.setting.description': unknown
  'web.admin.setting.description.hint': unknown
  'web.admin.setting.status_page': unknown
  'web.admin.setting.status_page.hint': unknown
  'web.admin.setting.source_code': unknown
  'web.admin.setting.source_code.hint': unknown
  'web.admin.setting.contact_email': unknown
  'web.admin.setting.contact_email.hint': unknown
  'web.admin.setting.contact_account': unknown
  'web.admin.setting.contact_account.hint': unknown
  'web.admin.setting.backups_retention_period': unknown
  'web.admin.setting.backups_retention_period.hint': unknown
  'web.admin.setting.registrations': unknown
  'web.admin.setting.registrations_message': unknown
  'web.admin.setting.registrations_message.hint': unknown
  'web.admin.setting.require_invite_text': unknown
  'web.admin.setting.require_invite_text.hint': unknown
  'web.admin.setting.min_age': unknown
  'web.admin.setting.min_age.hint': unknown
  'web.admin.setting.captcha_enabled': unknown
  'web.admin.setting.captcha_enabled.hint': unknown
  'web.admin.setting.sign_ups_per_day': unknown
  'web.admin.setting.sign_ups_per_day.hint': unknown
  'web.admin.setting.sign_ups_per_ip': unknown
  'web.admin.setting.sign_ups_per_ip.hint': unknown
  'web.admin.setting.sign_ups_per_email_domain': unknown
  'web.admin.setting.bootstrap_timeline_accounts': unknown
  'web.admin.setting.bootstrap_timeline_accounts.hint': unknown
  'web.admin.setting.timelines_local_live': unknown
  'web.admin.setting.timelines_remote_live': unknown
  'web.admin.setting.timelines_local_topic': unknown
  'web.admin.setting.timelines_remote_topic': unknown
  'web.admin.setting.directory': unknown
  'web.admin.setting.directory.hint': unknown
  'web.admin.setting.trends': unknown
  'web.admin.setting.trends_unreviewed': unknown
  'web.admin.setting.trends_unreviewed.hint': unknown
  'web.admin.setting.annual_reports': unknown
  'web.admin.setting.peers': unknown
  'web.admin.setting.peers.hint': unknown
  'web.admin.setting.activity': unknown
  'web.admin.setting.domain_blocks': unknown
  'web.admin.setting.domain_block_comments': unknown
  'web.admin.setting.extended_description': unknown
  'web.admin.setting.extended_description.hint': unknown
  'web.admin.setting.privacy_policy': unknown
  'web.admin.setting.privacy_policy.hint': unknown
  'web.admin.terms.text': unknown
  'web.admin.terms.new': unknown
  'web.admin.terms.edit': unknown
  'web.admin.terms.empty': unknown
  'web.admin.terms.deleted': { date: 'text' }
  'web.admin.terms.published': { date: 'text' }
  'web.admin.terms.show': unknown
  'web.admin.terms.future': unknown
  'web.admin.terms.current': unknown
  'web.admin.terms.current-until': { date: 'text' }
  'web.admin.terms.replaced': { date: 'text' }
  'web.admin.terms.taken': unknown
  'web.admin.terms.date': unknown
  'web.admin.terms.date.hint': unknown
  'web.admin.terms.content': unknown
  'web.admin.terms.changelog': unknown
  'web.admin.terms.changelog.hint': unknown
  'web.admin.terms.notify': unknown
  'web.admin.terms.notify-name': { date: 'text' }
  'web.admin.terms.notify.text': { date: 'text' }
  'web.admin.terms.notify.mails': { number: 'number'; count: 'text' }
  'web.admin.terms.notify.reviews': { number: 'number'; count: 'text' }
  'web.admin.terms.notify.test': unknown
  'web.admin.terms.notify.tested': unknown
  'web.admin.terms.notify.done': { date: 'text' }
  'web.admin.terms.notified': { date: 'text' }
  'web.admin.rules.empty': unknown
  'web.admin.rules.new': unknown
  'web.admin.rules.edit': unknown
  'web.admin.rules.saved': unknown
  'web.admin.rules.deleted': unknown
  'web.admin.rules.moved': { position: 'number'; count: 'number' }
  'web.admin.rules.translated': { languages: 'text' }
  'web.admin.rules.up': { rule: 'text' }
  'web.admin.rules.down': { rule: 'text' }
  'web.admin.rules.up.title': unknown
  'web.admin.rules.down.title': unknown
  'web.admin.rules.text': unknown
  'web.admin.rules.text.hint': unknown
  'web.admin.rules.hint': unknown
  'web.admin.rules.hint.hint': unknown
  'web.admin.rules.translations': unknown
  'web.admin.rules.remove-translation': { language: 'text' }
  'web.admin.rules.add-translation': unknown
  'web.admin.rules.choose-language': unknown
  'web.admin.announcements.empty': unknown
  'web.admin.announcements.new': unknown
  'web.admin.announcements.edit': unknown
  'web.admin.announcements.published': unknown
  'web.admin.announcements.unpublished': unknown
  'web.admin.announcements.deleted': unknown
  'web.admin.announcements.publish': unknown
  'web.admin.announcements.unpublish': unknown
  'web.admin.announcements.state.published': unknown
  'web.admin.announcements.state.scheduled': unknown
  'web.admin.announcements.state.draft': unknown
  'web.admin.announcements.state.ended': unknown
  'web.admin.announcements.from': { time: 'text' }
  'web.admin.announcements.until': { time: 'text' }
  'web.admin.announcements.text': unknown
  'web.admin.announcements.text.hint': unknown
  'web.admin.announcements.preview': unknown
  'web.admin.announcements.event': unknown
  'web.admin.announcements.event.hint': unknown
  'web.admin.announcements.startsAt': unknown
  'web.admin.announcements.endsAt': unknown
  'web.admin.announcements.allDay': unknown
  'web.admin.announcements.publication': unknown
  'web.admin.announcements.publication.now': unknown
  'web.admin.announcements.publication.scheduled': unknown
  'web.admin.announcements.publication.draft': unknown
  'web.admin.announcements.scheduledAt': unknown
  'web.admin.announcements.is-published': unknown
  'web.admin.announcements.submit.now': unknown
  'web.admin.announcements.submit.scheduled': unknown
  'web.admin.announcements.submit.draft': unknown
  'web.admin.announcements.saved.now': unknown
  'web.admin.announcements.saved.scheduled': unknown
  'web.admin.announcements.saved.draft': unknown
  'web.admin.announcements.problem.text': unknown
  'web.admin.announcements.problem.days': unknown
  'web.admin.announcements.problem.order': unknown
  'web.admin.announcements.problem.past': unknown
  'web.admin.announcements.problem.scheduled': unknown
  'web.admin.announcements.problem.late': unknown
  'web.admin.roles.everyone': unknown
  'web.admin.roles.everyone.text': unknown
  'web.admin.roles.permissions': unknown
  'web.admin.roles.permission': unknown
  'web.admin.roles.new': unknown
  'web.admin.roles.edit': unknown
  'web.admin.roles.delete.title': { name: 'text' }
  'web.admin.roles.delete.text': unknown
  'web.admin.roles.position-is': { position: 'text' }
  'web.admin.roles.all-permissions': unknown
  'web.admin.roles.count': { count: 'number' }
  'web.admin.roles.has-badge': unknown
  'web.admin.roles.requires-2fa': unknown
  'web.admin.roles.yes': unknown
  'web.admin.roles.no': unknown
  'web.admin.roles.group.everything': unknown
  'web.admin.roles.group.moderation': unknown
  'web.admin.roles.group.content': unknown
  'web.admin.roles.group.server': unknown
  'web.admin.roles.group.monitoring': unknown
  'web.admin.roles.group.invites': unknown
  'web.admin.roles.not-editable': unknown
  'web.admin.roles.base': unknown
  'web.admin.roles.base-permissions': unknown
  'web.admin.roles.position': unknown
  'web.admin.roles.position.hint': unknown
  'web.admin.roles.own': unknown
  'web.admin.roles.grantable': unknown
  'web.admin.roles.others': unknown
  'web.admin.roles.require-2fa': unknown
  'web.admin.roles.require-2fa.hint': unknown
  'web.admin.roles.require-2fa.all': unknown
  'web.admin.roles.collections': unknown
  'web.admin.roles.name': unknown
  'web.admin.roles.badge': unknown
  'web.admin.roles.highlighted': unknown
  'web.admin.roles.highlighted.hint': unknown
  'web.admin.roles.has-color': unknown
  'web.admin.roles.color': unknown
  'web.admin.permission.administrator': unknown
  'web.admin.permission.administrator.hint': unknown
  'web.admin.permission.manage_reports': unknown
  'web.admin.permission.manage_reports.hint': unknown
  'web.admin.permission.manage_appeals': unknown
  'web.admin.permission.manage_appeals.hint': unknown
  'web.admin.permission.manage_users': unknown
  'web.admin.permission.manage_users.hint': unknown
  'web.admin.permission.manage_federation': unknown
  'web.admin.permission.manage_federation.hint': unknown
  'web.admin.permission.manage_blocks': unknown
  'web.admin.permission.manage_blocks.hint': unknown
  'web.admin.permission.delete_user_data': unknown
  'web.admin.permission.delete_user_data.hint': unknown
  'web.admin.permission.manage_user_access': unknown
  'web.admin.permission.manage_user_access.hint': unknown
  'web.admin.permission.manage_taxonomies': unknown
  'web.admin.permission.manage_taxonomies.hint': unknown
  'web.admin.permission.manage_custom_emojis': unknown
  'web.admin.permission.manage_custom_emojis.hint': unknown
  'web.admin.permission.manage_announcements': unknown
  'web.admin.permission.manage_announcements.hint': unknown
  'web.admin.permission.manage_rules': unknown
  'web.admin.permission.manage_rules.hint': unknown
  'web.admin.permission.view_feeds': unknown
  'web.admin.permission.view_feeds.hint': unknown
  'web.admin.permission.manage_settings': unknown
  'web.admin.permission.manage_settings.hint': unknown
  'web.admin.permission.manage_roles': unknown
  'web.admin.permission.manage_roles.hint': unknown
  'web.admin.permission.manage_webhooks': unknown
  'web.admin.permission.manage_webhooks.hint': unknown
  'web.admin.permission.manage_email_subscriptions': unknown
  'web.admin.permission.manage_email_subscriptions.hint': unknown
  'web.admin.permission.view_dashboard': unknown
  'web.admin.permission.view_dashboard.hint': unknown
  'web.admin.permission.view_audit_log': unknown
  'web.admin.permission.view_audit_log.hint': unknown
  'web.admin.permission.view_devops': unknown
  'web.admin.permission.view_devops.hint': unknown
  'web.admin.permission.invite_users': unknown
  'web.admin.permission.invite_users.hint': unknown
  'web.admin.permission.manage_invites': unknown
  'web.admin.permission.manage_invites.hint': unknown
  'web.admin.permission.invite_bypass_approval': unknown
  'web.admin.permission.invite_bypass_approval.hint': unknown
  'web.admin.invites.available': unknown
  'web.admin.invites.expired': unknown
  'web.admin.invites.empty': unknown
  'web.admin.invites.new': unknown
  'web.admin.invites.create': unknown
  'web.admin.invites.created': unknown
  'web.admin.invites.copy': unknown
  'web.admin.invites.copy-name': { name: 'text' }
  'web.admin.invites.expire': unknown
  'web.admin.invites.expire-name': { name: 'text' }
  'web.admin.invites.expired-one': { name: 'text' }
  'web.admin.invites.uses': { count: 'number' }
  'web.admin.invites.uses-of': { count: 'text'; limit: 'text' }
  'web.admin.invites.no-expiry': unknown
  'web.admin.invites.expires-at': { time: 'text' }
  'web.admin.invites.expired-at': { time: 'text' }
  'web.admin.invites.autofollow-on': unknown
  'web.admin.invites.expire-all': unknown
  'web.admin.invites.expire-all.title': unknown
  'web.admin.invites.expire-all.text': unknown
  'web.admin.invites.expired-all': unknown
  'web.admin.invites.max-uses': unknown
  'web.admin.invites.no-limit': unknown
  'web.admin.invites.expires-in': unknown
  'web.admin.invites.autofollow': unknown
  'web.admin.invites.comment': unknown
  'web.admin.invites.comment.hint': unknown
  'web.admin.suggestions.suggested': unknown
  'web.admin.suggestions.suppressed': unknown
  'web.admin.suggestions.suggested.text': unknown
  'web.admin.suggestions.suppressed.text': unknown
  'web.admin.suggestions.suggested.empty': unknown
  'web.admin.suggestions.suppressed.empty': unknown
  'web.admin.suggestions.source.featured': unknown
  'web.admin.suggestions.source.most_interactions': unknown
  'web.admin.suggestions.source.most_followed': unknown
  'web.admin.suggestions.suppress': unknown
  'web.admin.suggestions.restore': unknown
  'web.admin.suggestions.suppressed-name': { name: 'text' }
  'web.admin.suggestions.restored': { name: 'text' }
  'web.admin.suggestions.is-suppressed': unknown
  'web.admin.suggestions.is-not-suppressed': unknown
  'web.admin.trends.kinds': unknown
  'web.admin.trends.kind.statuses': unknown
  'web.admin.trends.kind.tags': unknown
  'web.admin.trends.kind.links': unknown
  'web.admin.trends.kind.publishers': unknown
  'web.admin.trends.pending': unknown
  'web.admin.trends.empty': unknown
  'web.admin.trends.nothing-pending': unknown
  'web.admin.trends.state.pending': unknown
  'web.admin.trends.state.approved': unknown
  'web.admin.trends.state.rejected': unknown
  'web.admin.trends.approve-selected': unknown
  'web.admin.trends.reject-selected': unknown
  'web.admin.trends.approved-count': { count: 'number' }
  'web.admin.trends.rejected-count': { count: 'number' }
  'web.admin.trends.people': { count: 'number' }
  'web.admin.trends.favourites': { count: 'number' }
  'web.admin.trends.boosts': { count: 'number' }
  'web.admin.tags.display-name': unknown
  'web.admin.tags.display-name-hint': unknown
  'web.admin.tags.usable': unknown
  'web.admin.tags.listable': unknown
  'web.admin.tags.trendable': unknown
  'web.admin.webhooks.title': unknown
  'web.admin.webhooks.new': unknown
  'web.admin.webhooks.edit': unknown
  'web.admin.webhooks.empty': unknown
  'web.admin.webhooks.url': unknown
  'web.admin.webhooks.url-hint': unknown
  'web.admin.webhooks.events': unknown
  'web.admin.webhooks.enabled': unknown
  'web.admin.webhooks.disabled': unknown
  'web.admin.webhooks.unpermitted': { events: 'text' }
  'web.admin.webhooks.changed': unknown
  'web.admin.webhooks.test': unknown
  'web.admin.webhooks.tested': { name: 'text' }
  'web.admin.webhooks.rotate': unknown
  'web.admin.webhooks.rotate-title': unknown
  'web.admin.webhooks.rotate-text': unknown
  'web.admin.webhooks.rotated': { name: 'text' }
  'web.admin.webhooks.secret': unknown
  'web.admin.webhooks.secret-text': unknown
  'web.admin.webhooks.copy': unknown
  'web.admin.webhooks.copied': unknown
  'web.admin.webhooks.copy-failed': unknown
  'web.admin.webhooks.delete-text': unknown
  'web.admin.webhooks.deliveries': unknown
  'web.admin.webhooks.no-deliveries': unknown
  'web.admin.webhooks.redeliver': unknown
  'web.admin.webhooks.redelivered': { name: 'text' }
  'web.admin.webhooks.state.pending': unknown
  'web.admin.webhooks.state.delivered': unknown
  'web.admin.webhooks.state.rejected': unknown
  'web.admin.webhooks.state.abandoned': unknown
  'web.admin.webhooks.event.account.approved': unknown
  'web.admin.webhooks.event.account.created': unknown
  'web.admin.webhooks.event.account.updated': unknown
  'web.admin.webhooks.event.report.created': unknown
  'web.admin.webhooks.event.report.updated': unknown
  'web.admin.webhooks.event.status.created': unknown
  'web.admin.webhooks.event.status.updated': unknown
  'web.admin.webhooks.event.test': unknown
  'web.annual-report.title': { year: 'text' }
  'web.annual-report.ready': unknown
  'web.annual-report.offer': unknown
  'web.annual-report.open': unknown
  'web.annual-report.dismiss': unknown
  'web.annual-report.generate': unknown
  'web.annual-report.generating': { year: 'text' }
  'web.annual-report.generating-text': unknown
  'web.annual-report.none': { year: 'text' }
  'web.annual-report.none-text': unknown
  'web.annual-report.failed': unknown
  'web.annual-report.archetype': unknown
  'web.annual-report.lurker': unknown
  'web.annual-report.lurker-text': unknown
  'web.annual-report.booster': unknown
  'web.annual-report.booster-text': unknown
  'web.annual-report.pollster': unknown
  'web.annual-report.pollster-text': unknown
  'web.annual-report.replier': unknown
  'web.annual-report.replier-text': unknown
  'web.annual-report.oracle': unknown
  'web.annual-report.oracle-text': unknown
  'web.annual-report.posts': { count: 'number' }
  'web.annual-report.followers': { count: 'number' }
  'web.annual-report.hashtag': { count: 'number' }
  'web.annual-report.most-boosted': unknown
  'web.collections.own': unknown
  'web.collections.own-count': { count: 'text'; limit: 'text' }
  'web.collections.new': unknown
  'web.collections.limit': { limit: 'text' }
  'web.collections.empty': unknown
  'web.collections.empty-hint': unknown
  'web.collections.with-you': unknown
  'web.collections.with-you-empty': unknown
  'web.collections.with-you-hint': unknown
  'web.collections.edit': unknown
  'web.collections.create': unknown
  'web.collections.save-failed': unknown
  'web.collections.name': unknown
  'web.collections.description': unknown
  'web.collections.description-hint': { max: 'text' }
  'web.collections.tag': unknown
  'web.collections.tag-hint': unknown
  'web.collections.language': unknown
  'web.collections.no-language': unknown
  'web.collections.discoverable': unknown
  'web.collections.discoverable-hint': unknown
  'web.collections.sensitive': unknown
  'web.collections.sensitive-hint': unknown
  'web.collections.error-blank': unknown
  'web.collections.error-too-long': { max: 'text' }
  'web.collections.error-tag': unknown
  'web.collections.error-language': unknown
  'web.collections.error-full': { limit: 'text' }
  'web.collections.error-limit': unknown
  'web.collections.error-taken': unknown
  'web.collections.error-forbidden': unknown
  'web.collections.menu': { name: 'text' }
  'web.collections.delete': unknown
  'web.collections.delete-title': unknown
  'web.collections.delete-text': { name: 'text' }
  'web.collections.delete-confirm': unknown
  'web.collections.delete-failed': unknown
  'web.collections.deleted': unknown
  'web.collections.report': unknown
  'web.collections.by': { name: 'text' }
  'web.collections.unlisted': unknown
  'web.collections.updated': { day: 'text' }
  'web.collections.warning': unknown
  'web.collections.warning-text': { name: 'text' }
  'web.collections.show': unknown
  'web.collections.with-you-notice': unknown
  'web.collections.leave': unknown
  'web.collections.leave-title': unknown
  'web.collections.leave-text': { name: 'text' }
  'web.collections.left': { name: 'text' }
  'web.collections.leave-failed': unknown
  'web.collections.empty-own': unknown
  'web.collections.unseen': { number: 'number'; count: 'text' }
  'web.collections.ended': { number: 'number'; count: 'text' }
  'web.collections.pending': unknown
  'web.collections.add-accounts': unknown
  'web.collections.search': unknown
  'web.collections.room': { count: 'text'; limit: 'text' }
  'web.collections.full': unknown
  'web.collections.followed': unknown
  'web.collections.no-followed': unknown
  'web.collections.results': unknown
  'web.collections.no-results': unknown
  'web.collections.add': unknown
  'web.collections.remove': unknown
  'web.collections.add-failed': unknown
  'web.collections.remove-failed': unknown
  'web.collections.denied': unknown
  'web.collections.missing': unknown
  'web.collections.of-account': { name: 'text' }
  'web.collections.none': unknown
  'web.collections.denied-account': { name: 'text' }
  'web.collections.missing-account': { name: 'text' }
  'web.emojis.search': unknown
  'web.emojis.not-found': unknown
  'web.emojis.other': unknown
  'web.emojis.failed': unknown
  'web.emojis.recent': unknown
  'web.emojis.custom': unknown
  'web.emojis.smileys': unknown
  'web.emojis.people': unknown
  'web.emojis.nature': unknown
  'web.emojis.food': unknown
  'web.emojis.travel': unknown
  'web.emojis.activities': unknown
  'web.emojis.objects': unknown
  'web.emojis.symbols': unknown
  'web.emojis.flags': unknown
  'web.emojis.groups': unknown
  'web.emojis.results': unknown
  'web.emojis.found': { count: 'number' }
  'web.emojis.tone': unknown
  'web.emojis.tone-0': unknown
  'web.emojis.tone-1': unknown
  'web.emojis.tone-2': unknown
  'web.emojis.tone-3': unknown
  'web.emojis.tone-4': unknown
  'web.emojis.tone-5': unknown
  'web.filters.new': unknown
  'web.filters.edit': unknown
  'web.filters.lead': unknown
  'web.filters.empty': unknown
  'web.filters.empty-hint': unknown
  'web.filters.name': unknown
  'web.filters.keywords': unknown
  'web.filters.keywords-hint': unknown
  'web.filters.keyword': { index: 'number' }
  'web.filters.whole-word': unknown
  'web.filters.whole-word-of': { index: 'number' }
  'web.filters.remove-keyword': { index: 'number' }
  'web.filters.add-keyword': unknown
  'web.filters.contexts': unknown
  'web.filters.context-home': unknown
  'web.filters.context-notifications': unknown
  'web.filters.context-public': unknown
  'web.filters.context-thread': unknown
  'web.filters.context-account': unknown
  'web.filters.context-missing': unknown
  'web.filters.action': unknown
  'web.filters.action-warn': unknown
  'web.filters.action-blur': unknown
  'web.filters.action-hide': unknown
  'web.filters.expiry': unknown
  'web.filters.never': unknown
  'web.filters.expires-after': { duration: 'text' }
  'web.filters.expires-at': { time: 'text' }
  'web.filters.expired-at': { time: 'text' }
  'web.filters.expired': unknown
  'web.filters.keyword-count': { count: 'number' }
  'web.filters.status-count': { count: 'number' }
  'web.filters.create': unknown
  'web.filters.save': unknown
  'web.filters.saved': unknown
  'web.filters.failed': unknown
  'web.filters.delete': unknown
  'web.filters.delete-title': unknown
  'web.filters.delete-text': { title: 'text' }
  'web.filters.deleted': unknown
  'web.filters.delete-failed': unknown
  'web.filters.statuses': unknown
  'web.filters.remove': unknown
  'web.filters.remove-status': { index: 'number' }
  'web.filters.remove-status-failed': unknown
  'web.filters.status-hidden': unknown
  'web.filters.filter-status': unknown
  'web.filters.filter-status-text': unknown
  'web.offline': unknown
  'web.offline.page': unknown
  'web.queue.waiting': unknown
  'web.queue.count': { count: 'number' }
  'web.queue.post': unknown
  'web.queue.post-sent': unknown
  'web.queue.post-refused': { reason: 'text' }
  'web.queue.open-draft': unknown
  'web.queue.refused': { text: 'text'; reason: 'text' }
  'web.settings.title': unknown
  'web.settings.saved': unknown
  'web.settings.undo': unknown
  'web.settings.failed': unknown
  'web.settings.find': unknown
  'web.settings.found': { count: 'number' }
  'web.settings.not-found': unknown
  'web.settings.client': unknown
  'web.settings.account': unknown
  'web.settings.section.appearance': unknown
  'web.settings.section.timelines': unknown
  'web.settings.section.posting': unknown
  'web.settings.section.privacy': unknown
  'web.settings.section.notifications': unknown
  'web.settings.section.keyboard': unknown
  'web.settings.look': unknown
  'web.settings.theme': unknown
  'web.settings.theme.auto': unknown
  'web.settings.theme.light': unknown
  'web.settings.theme.dark': unknown
  'web.settings.textSize': unknown
  'web.settings.textSize.small': unknown
  'web.settings.textSize.normal': unknown
  'web.settings.textSize.large': unknown
  'web.settings.textSize.largest': unknown
  'web.settings.media-and-warnings': unknown
  'web.settings.media': unknown
  'web.settings.media.default': unknown
  'web.settings.media.show_all': unknown
  'web.settings.media.hide_all': unknown
  'web.settings.expandWarnings': unknown
  'web.settings.motion': unknown
  'web.settings.reducedMotion': unknown
  'web.settings.animate': unknown
  'web.settings.animate.hover': unknown
  'web.settings.animate.never': unknown
  'web.settings.singleKeys': unknown
  'web.settings.singleKeys.hint': unknown
  'web.settings.home': unknown
  'web.settings.showBoosts': unknown
  'web.settings.showReplies': unknown
  'web.settings.showReplies.hint': unknown
  'web.settings.beside': unknown
  'web.settings.beside.note': unknown
  'web.settings.threadsBeside': unknown
  'web.settings.composerBeside': unknown
  'web.settings.asking': unknown
  'web.settings.confirmBoost': unknown
  'web.settings.confirmBoost.title': unknown
  'web.settings.confirmBoost.text': unknown
  'web.settings.new-posts': unknown
  'web.settings.visibility': unknown
  'web.settings.visibility.public': unknown
  'web.settings.visibility.unlisted': unknown
  'web.settings.visibility.private': unknown
  'web.settings.quotes': unknown
  'web.settings.quotes.public': unknown
  'web.settings.quotes.followers': unknown
  'web.settings.quotes.nobody': unknown
  'web.settings.post-language': unknown
  'web.settings.post-language.interface': unknown
  'web.settings.post-media': unknown
  'web.settings.sensitive': unknown
  'web.settings.askForAltText': unknown
  'web.settings.reach': unknown
  'web.settings.search': unknown
  'web.settings.locked': unknown
  'web.settings.locked.hint': unknown
  'web.settings.hideCollections': unknown
  'web.settings.hideCollections.hint': unknown
  'web.settings.discoverable': unknown
  'web.settings.discoverable.hint': unknown
  'web.settings.indexable': unknown
  'web.settings.indexable.hint': unknown
  'web.settings.push': unknown
  'web.settings.push.text': unknown
  'web.settings.push.turn-on': unknown
  'web.settings.push.turn-off': unknown
  'web.settings.push.alerts': unknown
  'web.settings.push.policy': unknown
  'web.settings.push.from': unknown
  'web.settings.push.unsupported': unknown
  'web.settings.push.forbidden': unknown
  'web.settings.page.account': unknown
  'web.settings.page.account.text': unknown
  'web.settings.page.language': unknown
  'web.settings.page.language.text': unknown
  'web.settings.page.time-zone': unknown
  'web.settings.page.time-zone.text': unknown
  'web.settings.page.mails': unknown
  'web.settings.page.mails.text': unknown
  'web.settings.page.filters': unknown
  'web.settings.page.filters.text': unknown
  'web.settings.page.cleanup': unknown
  'web.settings.page.cleanup.text': unknown
  'web.settings.page.two-factor': unknown
  'web.settings.page.two-factor.text': unknown
  'web.settings.page.sessions': unknown
  'web.settings.page.sessions.text': unknown
  'web.settings.page.log-ins': unknown
  'web.settings.page.log-ins.text': unknown
  'web.settings.page.apps': unknown
  'web.settings.page.apps.text': unknown
  'web.settings.page.invites': unknown
  'web.settings.page.invites.text': unknown
  'web.settings.page.export': unknown
  'web.settings.page.export.text': unknown
  'web.settings.page.imports': unknown
  'web.settings.page.imports.text': unknown
  'web.settings.page.aliases': unknown
  'web.settings.page.aliases.text': unknown
  'web.settings.page.migration': unknown
  'web.settings.page.migration.text': unknown
  'web.settings.page.strikes': unknown
  'web.settings.page.strikes.text': unknown
  'web.settings.page.deletion': unknown
  'web.settings.page.deletion.text': unknown
  'web.push.accept': unknown
  'web.push.reject': unknown
  'web.push.alert.mention': unknown
  'web.push.alert.quote': unknown
  'web.push.alert.status': unknown
  'web.push.alert.reblog': unknown
  'web.push.alert.favourite': unknown
  'web.push.alert.follow': unknown
  'web.push.alert.followRequest': unknown
  'web.push.alert.poll': unknown
  'web.push.alert.update': unknown
  'web.push.policy.all': unknown
  'web.push.policy.followed': unknown
  'web.push.policy.follower': unknown
  'web.home.start': unknown
  'web.setup.title': unknown
  'web.setup.later': unknown
  'web.setup.progress': { step: 'number'; count: 'number' }
  'web.setup.continue': unknown
  'web.setup.back': unknown
  'web.setup.skip': unknown
  'web.setup.finish': unknown
  'web.setup.domain.title': unknown
  'web.setup.domain.warning': { domain: 'text' }
  'web.setup.domain.change': unknown
  'web.setup.domain.keep': unknown
  'web.setup.server.title': unknown
  'web.setup.server.text': unknown
  'web.setup.server.name': unknown
  'web.setup.server.description': unknown
  'web.setup.server.description.hint': unknown
  'web.setup.server.contact': unknown
  'web.setup.server.contact.hint': unknown
  'web.server-image.title': unknown
  'web.server-image.hint': unknown
  'web.server-image.file': unknown
  'web.server-image.choose': unknown
  'web.server-image.remove': unknown
  'web.server-image.description': unknown
  'web.setup.profile.title': unknown
  'web.setup.profile.text': unknown
  'web.setup.profile.picture': unknown
  'web.setup.profile.name': unknown
  'web.setup.profile.bio': unknown
  'web.setup.profile.bio.hint': unknown
  'web.setup.registrations.title': unknown
  'web.setup.registrations.text': unknown
  'web.setup.registrations.who': unknown
  'web.setup.registrations.none': unknown
  'web.setup.registrations.approved': unknown
  'web.setup.registrations.open': unknown
  'web.setup.rules.title': unknown
  'web.setup.rules.text': unknown
  'web.setup.rules.new': unknown
  'web.setup.rules.add': unknown
  'web.setup.rules.suggestions': unknown
  'web.setup.rules.up': { rule: 'text' }
  'web.setup.rules.down': { rule: 'text' }
  'web.setup.rules.remove': { rule: 'text' }
  'web.setup.rules.respect': unknown
  'web.setup.rules.hate': unknown
  'web.setup.rules.harassment': unknown
  'web.setup.rules.warnings': unknown
  'web.setup.rules.spam': unknown
  'web.setup.rules.law': unknown
  'web.setup.mail.title': unknown
  'web.setup.mail.text': unknown
  'web.setup.mail.send': unknown
  'web.setup.mail.sent': unknown
  'web.setup.mail.failed': unknown
  'web.setup.mail.help': { setting: 'text'; path: 'text' }
  'web.setup.post.title': unknown
  'web.setup.post.text': unknown
  'web.setup.post.draft': unknown
  'web.setup.post.write': unknown
  'web.setup.people.title': unknown
  'web.setup.people.text': unknown
  'web.setup.people.empty': unknown
  'web.setup.tags.title': unknown
  'web.setup.tags.text': unknown
  'web.setup.tags.other': unknown
  'web.setup.tags.followed': { tags: 'text' }
  'web.setup.follow': unknown
  'web.setup.following': unknown
  'web.setup.follow-name': { name: 'text' }
  'web.skip': unknown
  'web.loading': unknown
  'web.retry': unknown
  'web.close': unknown
  'web.cancel': unknown
  'web.back': unknown
  'web.not-found': unknown
  'web.failed': unknown
  'web.part-failed': unknown
  'web.reload': unknown
  'web.nav.label': unknown
  'web.nav.home': unknown
  'web.nav.local': unknown
  'web.nav.remote': unknown
  'web.nav.public': unknown
  'web.nav.write': unknown
  'web.shortcuts.title': unknown
  'web.shortcuts.group.navigation': unknown
  'web.shortcuts.group.posts': unknown
  'web.shortcuts.group.writing': unknown
  'web.shortcuts.group.pages': unknown
  'web.shortcuts.group.help': unknown
  'web.shortcuts.next-post': unknown
  'web.shortcuts.previous-post': unknown
  'web.shortcuts.after-posts': unknown
  'web.shortcuts.before-posts': unknown
  'web.shortcuts.column': unknown
  'web.shortcuts.pinned': unknown
  'web.shortcuts.back': unknown
  'web.shortcuts.unfocus': unknown
  'web.shortcuts.new-posts': unknown
  'web.shortcuts.write': unknown
  'web.shortcuts.send': unknown
  'web.shortcuts.add-warning': unknown
  'web.shortcuts.reply': unknown
  'web.shortcuts.boost': unknown
  'web.shortcuts.favourite': unknown
  'web.shortcuts.bookmark': unknown
  'web.shortcuts.warning': unknown
  'web.shortcuts.media': unknown
  'web.shortcuts.load-more': unknown
  'web.shortcuts.top': unknown
  'web.shortcuts.search': unknown
  'web.shortcuts.open': unknown
  'web.shortcuts.profile': unknown
  'web.shortcuts.quote': unknown
  'web.shortcuts.mention': unknown
  'web.shortcuts.open-media': unknown
  'web.shortcuts.translate': unknown
  'web.shortcuts.help': unknown
  'web.side.label': unknown
  'web.side.tags': unknown
  'web.side.people': unknown
  'web.side.about': unknown
  'web.side.privacy': unknown
  'web.side.open-page': unknown
  'web.composer.title-new': unknown
  'web.composer.title-reply': unknown
  'web.composer.title-quote': unknown
  'web.composer.title-edit': unknown
  'web.composer.text': unknown
  'web.composer.post': unknown
  'web.composer.post-all': unknown
  'web.composer.save': unknown
  'web.composer.sending': unknown
  'web.composer.sent': unknown
  'web.composer.saved': unknown
  'web.composer.scheduled': unknown
  'web.composer.open': unknown
  'web.composer.failed': unknown
  'web.composer.attachment-failed': unknown
  'web.composer.upload-failed': unknown
  'web.composer.open-failed': unknown
  'web.composer.not-stored': unknown
  'web.composer.restored': unknown
  'web.composer.start-afresh': unknown
  'web.composer.add-post': unknown
  'web.composer.post-place': { index: 'number'; count: 'number' }
  'web.composer.remove-post': { index: 'number' }
  'web.composer.post-removed': unknown
  'web.composer.post-empty': unknown
  'web.composer.post-too-long': { max: 'number' }
  'web.composer.remaining': { count: 'number' }
  'web.composer.warning': unknown
  'web.composer.visibility': unknown
  'web.composer.visibility-public': unknown
  'web.composer.visibility-unlisted': unknown
  'web.composer.visibility-private': unknown
  'web.composer.visibility-direct': unknown
  'web.composer.audience-public': unknown
  'web.composer.audience-unlisted': unknown
  'web.composer.audience-private': unknown
  'web.composer.audience-direct': { people: 'text' }
  'web.composer.audience-nobody': unknown
  'web.composer.quotes': unknown
  'web.composer.quotes-public': unknown
  'web.composer.quotes-followers': unknown
  'web.composer.quotes-nobody': unknown
  'web.composer.language': unknown
  'web.composer.reply-preview': { name: 'text' }
  'web.composer.quote-preview': { name: 'text' }
  'web.composer.remove-quote': unknown
  'web.composer.add': unknown
  'web.composer.add-media': unknown
  'web.composer.emoji': unknown
  'web.composer.media': unknown
  'web.composer.file': { index: 'number' }
  'web.composer.too-many-files': { max: 'number' }
  'web.composer.uploading': { name: 'text' }
  'web.composer.add-alt': unknown
  'web.composer.add-alt-of': { name: 'text' }
  'web.composer.edit-alt-of': { name: 'text' }
  'web.composer.alt-missing': unknown
  'web.composer.alt-ask-title': unknown
  'web.composer.alt-ask-text': { count: 'number' }
  'web.composer.alt-ask-send': unknown
  'web.composer.alt-title': unknown
  'web.composer.alt-label': unknown
  'web.composer.focal-point': { x: 'text'; y: 'text' }
  'web.composer.focal-point-hint': unknown
  'web.composer.done': unknown
  'web.composer.move-earlier': { name: 'text' }
  'web.composer.move-later': { name: 'text' }
  'web.composer.remove-file': { name: 'text' }
  'web.composer.file-removed': unknown
  'web.composer.sensitive': unknown
  'web.composer.poll': unknown
  'web.composer.poll-option': { index: 'number' }
  'web.composer.poll-add-option': unknown
  'web.composer.poll-remove-option': { index: 'number' }
  'web.composer.poll-duration': unknown
  'web.composer.poll-multiple': unknown
  'web.composer.poll-hide-totals': unknown
  'web.composer.poll-needs-text': unknown
  'web.composer.poll-too-few': unknown
  'web.composer.poll-duplicate': unknown
  'web.composer.poll-option-too-long': { max: 'number' }
  'web.composer.poll-edit-hint': unknown
  'web.composer.schedule': unknown
  'web.composer.schedule-time': unknown
  'web.composer.schedule-remove': unknown
  'web.composer.schedule-too-early': unknown
  'web.composer.suggestions': unknown
  'web.composer.suggestions-count': { count: 'number' }
  'web.drafts.title': unknown
  'web.drafts.empty': unknown
  'web.drafts.empty-hint': unknown
  'web.drafts.failed': unknown
  'web.drafts.no-text': unknown
  'web.drafts.posts': { count: 'number' }
  'web.drafts.delete': { text: 'text' }
  'web.drafts.delete-draft': unknown
  'web.drafts.deleted': unknown
  'web.drafts.undo': unknown
  'web.scheduled.title': unknown
  'web.scheduled.empty': unknown
  'web.scheduled.failed': unknown
  'web.scheduled.more': unknown
  'web.scheduled.change-time': unknown
  'web.scheduled.cancel': { text: 'text' }
  'web.scheduled.cancel-post': unknown
  'web.scheduled.cancelled': unknown
  'web.scheduled.cancel-failed': unknown
  'web.viewer.label': unknown
  'web.viewer.position': { number: 'text'; count: 'text' }
  'web.viewer.zoom': unknown
  'web.viewer.download': unknown
  'web.viewer.previous': unknown
  'web.viewer.next': unknown
  'web.history.title': unknown
  'web.history.created': { time: 'text' }
  'web.history.edited': { time: 'text' }
  'web.history.no-text-change': unknown
  'web.history.failed': unknown
  'web.menu.label': unknown
  'web.menu.quote': unknown
  'web.menu.copy-link': unknown
  'web.menu.link-copied': unknown
  'web.menu.copy-failed': { url: 'text' }
  'web.menu.share': unknown
  'web.menu.open-original': unknown
  'web.menu.pin': unknown
  'web.menu.unpin': unknown
  'web.menu.pinned-on': unknown
  'web.menu.pinned-off': unknown
  'web.menu.pinned-failed': unknown
  'web.menu.mute-conversation': unknown
  'web.menu.unmute-conversation': unknown
  'web.menu.muted-on': unknown
  'web.menu.muted-off': unknown
  'web.menu.muted-failed': unknown
  'web.menu.edit': unknown
  'web.menu.redraft': unknown
  'web.menu.delete': unknown
  'web.menu.write-again': unknown
  'web.menu.mention': { name: 'text' }
  'web.menu.revoke-quote': { name: 'text' }
  'web.menu.filter': unknown
  'web.menu.mute': { name: 'text' }
  'web.menu.block': { name: 'text' }
  'web.menu.block-domain': { domain: 'text' }
  'web.menu.report': { name: 'text' }
  'web.confirm.delete.title': unknown
  'web.confirm.delete.text': unknown
  'web.confirm.delete.submit': unknown
  'web.confirm.delete.failed': unknown
  'web.confirm.delete.done': unknown
  'web.confirm.redraft.title': unknown
  'web.confirm.redraft.text': unknown
  'web.confirm.redraft.submit': unknown
  'web.confirm.redraft.failed': unknown
  'web.confirm.revoke-quote.title': { name: 'text' }
  'web.confirm.revoke-quote.text': unknown
  'web.confirm.revoke-quote.submit': unknown
  'web.confirm.revoke-quote.failed': unknown
  'web.confirm.revoke-quote.done': unknown
  'web.confirm.mute.title': { name: 'text' }
  'web.confirm.mute.text': unknown
  'web.confirm.mute.submit': unknown
  'web.confirm.mute.failed': unknown
  'web.confirm.mute.done': { name: 'text' }
  'web.confirm.block.title': { name: 'text' }
  'web.confirm.block.text': unknown
  'web.confirm.block.submit': unknown
  'web.confirm.block.failed': unknown
  'web.confirm.block.done': { name: 'text' }
  'web.confirm.block-domain.title': { domain: 'text' }
  'web.confirm.block-domain.text': { domain: 'text' }
  'web.confirm.block-domain.submit': unknown
  'web.confirm.block-domain.failed': unknown
  'web.confirm.block-domain.done': { domain: 'text' }
  'web.status.boosted': unknown
  'web.status.boosted-by': { name: 'text' }
  'web.status.edited': unknown
  'web.status.media-count': { count: 'number' }
  'web.status.actions': unknown
  'web.status.reply': unknown
  'web.status.reblog': unknown
  'web.status.favourite': unknown
  'web.status.bookmark': unknown
  'web.status.reblog-on': unknown
  'web.status.reblog-off': unknown
  'web.status.reblog-failed': unknown
  'web.status.favourite-on': unknown
  'web.status.favourite-off': unknown
  'web.status.favourite-failed': unknown
  'web.status.bookmark-on': unknown
  'web.status.bookmark-off': unknown
  'web.status.bookmark-failed': unknown
  'web.status.show-more': unknown
  'web.status.show-less': unknown
  'web.visibility.unlisted': unknown
  'web.visibility.private': unknown
  'web.visibility.direct': unknown
  'web.media.sensitive': unknown
  'web.media.show': unknown
  'web.media.hide': unknown
  'web.media.alt': unknown
  'web.media.no-description': unknown
  'web.thread.title': unknown
  'web.status.read-more': unknown
  'web.status.read-less': unknown
  'web.status.replied-to': { name: 'text' }
  'web.status.replied': unknown
  'web.status.continued-thread': unknown
  'web.visibility.public': unknown
  'web.media.hidden': unknown
  'web.media.open': { description: 'text' }
  'web.media.open-undescribed': unknown
  'web.media.more': { count: 'number' }
  'web.media.open-remote': unknown
  'web.poll.label': unknown
  'web.poll.vote': unknown
  'web.poll.counted': unknown
  'web.poll.vote-failed': unknown
  'web.poll.own-vote': unknown
  'web.poll.show-results': unknown
  'web.poll.back-to-vote': unknown
  'web.poll.refresh': unknown
  'web.poll.refreshed': unknown
  'web.poll.refresh-failed': unknown
  'web.poll.votes': { number: 'number'; count: 'text' }
  'web.poll.voters': { number: 'number'; count: 'text' }
  'web.poll.closed': unknown
  'web.poll.closes': { time: 'text' }
  'web.card.author': { name: 'text' }
  'web.card.more-from': unknown
  'web.quote.open': unknown
  'web.quote.nested': unknown
  'web.quote.show': unknown
  'web.quote.pending': unknown
  'web.quote.revoked': unknown
  'web.quote.rejected': unknown
  'web.quote.deleted': unknown
  'web.quote.unauthorized': unknown
  'web.quote.blocked_account': { name: 'text' }
  'web.quote.blocked_domain': { domain: 'text' }
  'web.quote.muted_account': { name: 'text' }
  'web.filter.title': { name: 'text' }
  'web.filter.show': unknown
  'web.translation.translate': unknown
  'web.translation.show-original': unknown
  'web.translation.provider': { language: 'text'; provider: 'text' }
  'web.translation.failed': unknown
  'web.tag.followed': unknown
  'web.tag.followed-empty': unknown
  'web.tag.followed-hint': unknown
  'web.tag.feature': unknown
  'web.tag.filter': unknown
  'web.tag.menu': { tag: 'text' }
  'web.tag.usage': { posts: 'text'; people: 'text' }
  'web.tag.posts': { number: 'number'; count: 'text' }
  'web.tag.people': { number: 'number'; count: 'text' }
  'web.tag.people-recently': { number: 'number'; count: 'text' }
  'web.tag.follow-failed': { tag: 'text' }
  'web.tag.unfollow-failed': { tag: 'text' }
  'web.tag.feature-failed': { tag: 'text' }
  'web.tag.unfeature-failed': { tag: 'text' }
  'web.thread.missing': unknown
  'web.thread.missing-hint': unknown
  'web.thread.failed': unknown
  'web.thread.replies-failed': unknown
  'web.thread.replies-label': unknown
  'web.thread.replies': { number: 'number'; count: 'text' }
  'web.thread.continue': { number: 'number'; count: 'text' }
  'web.thread.more-replies': unknown
  'web.thread.new-replies': { number: 'number'; count: 'text' }
  'web.thread.edited': { time: 'text' }
  'web.thread.original': { domain: 'text' }
  'web.thread.reblogs': { number: 'number'; count: 'text' }
  'web.thread.favourites': { number: 'number'; count: 'text' }
  'web.thread.quotes': { number: 'number'; count: 'text' }
  'web.list.reblogs': unknown
  'web.list.reblogs-empty': unknown
  'web.list.favourites': unknown
  'web.list.favourites-empty': unknown
  'web.list.quotes': unknown
  'web.list.quotes-empty': unknown
  'web.list.failed': unknown
  'web.announcements.title': unknown
  'web.announcements.dismiss': unknown
  'web.announcements.dismiss-failed': unknown
  'web.announcements.previous': unknown
  'web.announcements.next': unknown
  'web.announcements.position': { position: 'text'; count: 'text' }
  'web.announcements.reactions': unknown
  'web.announcements.add-reaction': unknown
  'web.announcements.reaction-failed': unknown
  'web.columns.pin': unknown
  'web.columns.unpin': { name: 'text' }
  'web.nav.conversations': unknown
  'web.conversations.unread': unknown
  'web.conversations.menu': { name: 'text' }
  'web.conversations.mark-read': unknown
  'web.conversations.mark-unread': unknown
  'web.conversations.delete': unknown
  'web.conversations.change-failed': unknown
  'web.conversations.failed': unknown
  'web.conversations.empty': unknown
  'web.nav.explore': unknown
  'web.explore.sections': unknown
  'web.explore.posts': unknown
  'web.explore.tags': unknown
  'web.explore.links': unknown
  'web.explore.suggestions': unknown
  'web.explore.empty': unknown
  'web.explore.failed': unknown
  'web.explore.link-use': { count: 'number' }
  'web.explore.link-title': { host: 'text' }
  'web.explore.no-suggestions': unknown
  'web.explore.dismiss': { name: 'text' }
  'web.explore.dismiss-failed': unknown
  'web.explore.follow': unknown
  'web.explore.following': unknown
  'web.explore.follow-name': { name: 'text' }
  'web.explore.follow-failed': unknown
  'web.nav.notifications': unknown
  'web.notifications.unread': { count: 'number' }
  'web.notifications.new': unknown
  'web.notifications.tabs': unknown
  'web.notifications.tab.all': unknown
  'web.notifications.tab.conversations': unknown
  'web.notifications.tab.activity': unknown
  'web.notifications.others': { count: 'number' }
  'web.notifications.mention': { names: 'text' }
  'web.notifications.private-mention': { names: 'text' }
  'web.notifications.reply': { names: 'text' }
  'web.notifications.status': { names: 'text' }
  'web.notifications.reblog': { count: 'number'; names: 'text' }
  'web.notifications.favourite': { count: 'number'; names: 'text' }
  'web.notifications.follow': { count: 'number'; names: 'text' }
  'web.notifications.sign-up': { count: 'number'; names: 'text' }
  'web.notifications.follow-request': { names: 'text' }
  'web.notifications.update': { names: 'text' }
  'web.notifications.quote': { names: 'text' }
  'web.notifications.quoted-update': { names: 'text' }
  'web.notifications.own-poll': unknown
  'web.notifications.poll': unknown
  'web.notifications.report': { names: 'text'; target: 'text' }
  'web.notifications.severed': { target: 'text' }
  'web.notifications.severed.show': unknown
  'web.notifications.severed.account_suspension': { target: 'text'; followers: 'number'; following: 'number' }
  'web.notifications.severed.domain_block': { target: 'text'; followers: 'number'; following: 'number' }
  'web.notifications.severed.user_domain_block': { target: 'text'; followers: 'number'; following: 'number' }
  'web.notifications.warning': unknown
  'web.notifications.warning.none': unknown
  'web.notifications.warning.disable': unknown
  'web.notifications.warning.mark_statuses_as_sensitive': unknown
  'web.notifications.warning.delete_statuses': unknown
  'web.notifications.warning.sensitive': unknown
  'web.notifications.warning.silence': unknown
  'web.notifications.warning.suspend': unknown
  'web.notifications.annual-report': { year: 'text' }
  'web.notifications.open-annual-report': unknown
  'web.notifications.added-to-collection': { names: 'text' }
  'web.notifications.collection-update': { names: 'text' }
  'web.notifications.open-report': unknown
  'web.notifications.open-warning': unknown
  'web.notifications.accept': unknown
  'web.notifications.reject': unknown
  'web.notifications.request-accepted': { name: 'text' }
  'web.notifications.request-rejected': { name: 'text' }
  'web.notifications.decision-failed': unknown
  'web.notifications.dismiss': unknown
  'web.notifications.dismiss-failed': unknown
  'web.notifications.arrived': { count: 'number' }
  'web.notifications.show-new': { number: 'number'; count: 'text' }
  'web.notifications.empty': unknown
  'web.notifications.failed': unknown
  'web.notifications.menu': unknown
  'web.notifications.clear': unknown
  'web.notifications.clear-title': unknown
  'web.notifications.clear-text': unknown
  'web.notifications.clear-failed': unknown
  'web.notifications.filtered-count': { count: 'number' }
  'web.notifications.requests': unknown
  'web.notifications.requests-empty': unknown
  'web.notifications.requests-failed': unknown
  'web.notifications.request-count': { count: 'number' }
  'web.notifications.select': { name: 'text' }
  'web.notifications.select-all': unknown
  'web.notifications.selected': { count: 'number' }
  'web.notifications.accept-selected': unknown
  'web.notifications.dismiss-selected': unknown
  'web.notifications.accept-request': { name: 'text' }
  'web.notifications.dismiss-request': { name: 'text' }
  'web.notifications.requests-accepted': { count: 'number' }
  'web.notifications.requests-dismissed': { count: 'number' }
  'web.notifications.from': { name: 'text' }
  'web.notifications.policy': unknown
  'web.notifications.policy-intro': unknown
  'web.notifications.policy-failed': unknown
  'web.notifications.policy-load-failed': unknown
  'web.notifications.policy.accept': unknown
  'web.notifications.policy.filter': unknown
  'web.notifications.policy.drop': unknown
  'web.notifications.policy.forNotFollowing': unknown
  'web.notifications.policy.forNotFollowing.hint': unknown
  'web.notifications.policy.forNotFollowers': unknown
  'web.notifications.policy.forNotFollowers.hint': unknown
  'web.notifications.policy.forNewAccounts': unknown
  'web.notifications.policy.forNewAccounts.hint': unknown
  'web.notifications.policy.forPrivateMentions': unknown
  'web.notifications.policy.forPrivateMentions.hint': unknown
  'web.notifications.policy.forLimitedAccounts': unknown
  'web.notifications.policy.forLimitedAccounts.hint': unknown
  'web.notifications.policy.forBots': unknown
  'web.notifications.policy.forBots.hint': unknown
  'web.nav.search': unknown
  'web.search.label': unknown
  'web.search.recent': unknown
  'web.search.remove-recent': { query: 'text' }
  'web.search.operators': unknown
  'web.search.operator.own': unknown
  'web.search.operator.from': unknown
  'web.search.operator.media': unknown
  'web.search.operator.poll': unknown
  'web.search.operator.link': unknown
  'web.search.operator.quote': unknown
  'web.search.operator.reply': unknown
  'web.search.operator.sensitive': unknown
  'web.search.operator.library': unknown
  'web.search.operator.language': unknown
  'web.search.operator.before': unknown
  'web.search.operator.during': unknown
  'web.search.operator.after': unknown
  'web.search.types': unknown
  'web.search.type.all': unknown
  'web.search.type.accounts': unknown
  'web.search.type.hashtags': unknown
  'web.search.type.statuses': unknown
  'web.search.more-accounts': unknown
  'web.search.more-hashtags': unknown
  'web.search.more-statuses': unknown
  'web.search.failed': unknown
  'web.search.found': { count: 'number' }
  'web.search.nothing': { query: 'text' }
  'web.search.nothing-hint': unknown
  'web.search.followers': { number: 'number'; count: 'text' }
  'web.search.tag-use': { count: 'number' }
  'web.home.empty': unknown
  'web.timeline.empty': unknown
  'web.timeline.failed': unknown
  'web.timeline.older-failed': unknown
  'web.timeline.gap': unknown
  'web.timeline.gap-failed': unknown
  'web.timeline.end': unknown
  'web.timeline.new-posts': { count: 'number' }
  'web.timeline.show-new': { number: 'number'; count: 'text' }
}
