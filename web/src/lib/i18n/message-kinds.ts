// Written by `npm run messages` from src/lib/messages/web-catalogues/en. Change a catalogue, then run it again.

/** The placeholders of every message: `text`, `number`, or `tag` for one that encloses a part of the message; `unknown`: it has none. */
export interface MessageKinds {
  'web.account.menu': { name: 'text' }
  'web.account.profile': unknown
  'web.account.switch': { name: 'text' }
  'web.account.add': unknown
  'web.account.settings': unknown
  'web.account.log-out': unknown
  'web.logged-out.title': unknown
  'web.logged-out.text': unknown
  'web.logged-out.log-in': unknown
  'web.account.administration': unknown
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
  'web.admin.reports.posts': { count: 'number' }
  'web.admin.reports.no-posts': unknown
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
  'web.composer.alt-title': unknown
  'web.composer.alt-label': unknown
  'web.composer.focal-point': { x: 'text'; y: 'text' }
  'web.composer.focal-point-hint': unknown
  'web.composer.done': unknown
  'web.composer.move-earlier': { name: 'text' }
  'web.composer.move-later': { name: 'text' }
  'web.composer.remove-file': { name: 'text' }
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
  'web.nav.conversations': unknown
  'web.conversations.unread': unknown
  'web.conversations.menu': { name: 'text' }
  'web.conversations.mark-read': unknown
  'web.conversations.mark-unread': unknown
  'web.conversations.delete': unknown
  'web.conversations.change-failed': unknown
  'web.conversations.failed': unknown
  'web.conversations.empty': unknown
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
  'web.edit-profile.saved': unknown
  'web.edit-profile.failed': unknown
  'web.emojis.search': unknown
  'web.emojis.none': unknown
  'web.emojis.not-found': unknown
  'web.emojis.other': unknown
  'web.emojis.failed': unknown
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
  'web.offline': unknown
  'web.offline.page': unknown
  'web.save': unknown
  'web.profile.edit': unknown
  'web.profile.avatar': { name: 'text' }
  'web.profile.copy-handle': unknown
  'web.profile.copied': unknown
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
  'web.search.nothing': { query: 'text' }
  'web.search.nothing-hint': unknown
  'web.search.followers': { number: 'number'; count: 'text' }
  'web.search.tag-use': { count: 'number' }
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
  'web.nav.label': unknown
  'web.nav.home': unknown
  'web.nav.local': unknown
  'web.nav.public': unknown
  'web.nav.write': unknown
  'web.shortcuts.title': unknown
  'web.shortcuts.group.navigation': unknown
  'web.shortcuts.group.posts': unknown
  'web.shortcuts.group.help': unknown
  'web.shortcuts.next-post': unknown
  'web.shortcuts.previous-post': unknown
  'web.shortcuts.back': unknown
  'web.shortcuts.unfocus': unknown
  'web.shortcuts.new-posts': unknown
  'web.shortcuts.write': unknown
  'web.shortcuts.reply': unknown
  'web.shortcuts.boost': unknown
  'web.shortcuts.favourite': unknown
  'web.shortcuts.bookmark': unknown
  'web.shortcuts.warning': unknown
  'web.shortcuts.media': unknown
  'web.shortcuts.help': unknown
  'web.side.label': unknown
  'web.side.tags': unknown
  'web.side.people': unknown
  'web.side.about': unknown
  'web.side.privacy': unknown
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
  'web.status.reblog-failed': unknown
  'web.status.favourite-failed': unknown
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
