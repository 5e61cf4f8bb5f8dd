// Written by `npm run messages` from src/lib/messages/catalogues/en. Change a catalogue, then run it again.

/** The placeholders of every message: `text`, `number`, or `tag` for one that encloses a part of the message; `unknown`: it has none. */
export interface MessageKinds {
  'layout.skip': unknown
  'layout.sign-in': unknown
  'layout.sign-up': unknown
  'layout.account': unknown
  'layout.source': unknown
  'layout.noscript': unknown
  'layout.loading': unknown
  'layout.loading-failed': unknown
  'layout.reload': unknown
  'layout.about': unknown
  'form.summary': { count: 'number' }
  'form.optional': unknown
  'pager.label': unknown
  'pager.newer': unknown
  'pager.older': unknown
  'pager.feed': unknown
  'pager.entries.label': unknown
  'pager.entries.newer': unknown
  'pager.entries.older': unknown
  'problem.ERR_TAKEN': unknown
  'problem.ERR_RESERVED': unknown
  'problem.ERR_BLANK': unknown
  'problem.ERR_INVALID': unknown
  'problem.ERR_TOO_LONG': unknown
  'problem.ERR_TOO_SHORT': unknown
  'problem.ERR_ACCEPTED': unknown
  'problem.ERR_BLOCKED': unknown
  'problem.ERR_UNREACHABLE': unknown
  'problem.ERR_BELOW_LIMIT': unknown
  'problem.ERR_WRONG': unknown
  'problem.ERR_NOT_FOUND': unknown
  'problem.ERR_SELF': unknown
  'problem.ERR_NO_ALIAS': unknown
  'problem.ERR_MOVED_THERE': unknown
  'problem.ERR_MOVED_ON': unknown
  'problem.ERR_TOO_SOON': unknown
  'problem.ERR_TOO_MANY': unknown
  'error.home': unknown
  'error.reference': { id: 'text' }
  'error.400.title': unknown
  'error.400.text': unknown
  'error.401.title': unknown
  'error.401.text': unknown
  'error.403.title': unknown
  'error.403.text': unknown
  'error.404.title': unknown
  'error.404.text': unknown
  'error.410.title': unknown
  'error.410.text': unknown
  'error.422.title': unknown
  'error.422.text': unknown
  'error.429.title': unknown
  'error.429.text': unknown
  'error.500.title': unknown
  'error.500.text': unknown
  'error.503.title': unknown
  'error.503.text': unknown
  'problem.ERR_TOO_LATE': unknown
  'problem.ERR_APPEALED': unknown
  'problem.ERR_TOO_FAST': unknown
  'problem.ERR_HONEYPOT': unknown
  'problem.ERR_SIGN_UP_LIMIT': unknown
  'sign-up.title': unknown
  'sign-up.lead': { domain: 'text' }
  'sign-up.ask-title': unknown
  'sign-up.ask-lead': { domain: 'text' }
  'sign-up.invited-by': unknown
  'sign-up.invited': unknown
  'sign-up.username': unknown
  'sign-up.username-hint': unknown
  'sign-up.email': unknown
  'sign-up.email-hint': unknown
  'sign-up.password': unknown
  'sign-up.password-hint': unknown
  'sign-up.birth': unknown
  'sign-up.birth-hint': { age: 'number' }
  'sign-up.reason': unknown
  'sign-up.reason-hint': unknown
  'sign-up.rules': unknown
  'sign-up.agreement': unknown
  'sign-up.agree': unknown
  'sign-up.agree-plain': unknown
  'sign-up.read-both': { privacy: 'tag'; terms: 'tag' }
  'sign-up.read-privacy': { privacy: 'tag' }
  'sign-up.read-terms': { terms: 'tag' }
  'sign-up.submit': unknown
  'sign-up.ask': unknown
  'sign-up.closed-title': unknown
  'sign-up.closed': { site: 'text' }
  'sign-up.invite-invalid-title': unknown
  'sign-up.invite-invalid': unknown
  'sign-up.instead': { link: 'tag' }
  'check-mail.title': unknown
  'check-mail.sent': { address: 'text' }
  'check-mail.hint': unknown
  'check-mail.resent': unknown
  'check-mail.resend': unknown
  'check-mail.change': unknown
  'check-mail.email': unknown
  'check-mail.save': unknown
  'confirmed.title': unknown
  'confirmed.ready': { site: 'text' }
  'confirmed.pending': unknown
  'confirmed.sign-in': unknown
  'confirmed.account': unknown
  'confirmed.app': { app: 'text' }
  'confirmed.refused': unknown
  'sign-in.title': unknown
  'sign-in.lead': { site: 'text' }
  'sign-in.to-app': { app: 'text' }
  'sign-in.login': unknown
  'sign-in.password': unknown
  'sign-in.submit': unknown
  'sign-in.failed': unknown
  'sign-in.disabled': unknown
  'sign-in.throttled': unknown
  'sign-in.expired': unknown
  'sign-in.owner-exists': unknown
  'sign-in.forgot': unknown
  'sign-in.instead': { link: 'tag' }
  'password-reset.title': unknown
  'password-reset.lead': unknown
  'password-reset.email': unknown
  'password-reset.submit': unknown
  'password-reset.sent-title': unknown
  'password-reset.sent': unknown
  'password-reset.sent-hint': unknown
  'password-reset.new-title': unknown
  'password-reset.new-lead': unknown
  'password-reset.save': unknown
  'password-reset.saved': unknown
  'password-reset.refused': unknown
  'authorize.unknown-app': unknown
  'authorize.redirect-uri': unknown
  'authorize.scope': unknown
  'authorize.request': { details: 'text' }
  'consent.title': { app: 'text' }
  'consent.signed-in-as': unknown
  'consent.switch': unknown
  'consent.could': unknown
  'consent.groups.read': unknown
  'consent.groups.write': unknown
  'consent.groups.follow': unknown
  'consent.groups.push': unknown
  'consent.groups.admin': unknown
  'consent.admin-note': unknown
  'consent.never': unknown
  'consent.facts': unknown
  'consent.website': unknown
  'consent.no-website': unknown
  'consent.after': unknown
  'consent.to-site': { host: 'text' }
  'consent.to-app': { scheme: 'text' }
  'consent.to-device': { host: 'text' }
  'consent.to-code': unknown
  'consent.allow': unknown
  'consent.deny': unknown
  'consent-done.allowed': unknown
  'consent-done.allowed-text': { app: 'text' }
  'consent-done.denied': unknown
  'consent-done.denied-text': { app: 'text' }
  'consent-done.go': { app: 'text' }
  'consent-done.by-hand': unknown
  'native-code.title': unknown
  'native-code.text': { app: 'text' }
  'native-code.text-plain': unknown
  'native-code.code': unknown
  'native-code.hint': unknown
  'setup.title': unknown
  'setup.lead': { domain: 'text' }
  'setup.email-hint': unknown
  'setup.note': unknown
  'setup.submit': unknown
  'pending.title': unknown
  'pending.text': { site: 'text' }
  'pending.sent-to': { address: 'text' }
  'pending.unconfirmed': { link: 'tag' }
  'pending.reason': unknown
  'pending.sign-out': unknown
  'account.title': unknown
  'account.welcome': { name: 'text' }
  'account.apps': unknown
  'account.step1': unknown
  'account.step2': unknown
  'account.step3': unknown
  'account.open-client': unknown
  'account.owner': unknown
  'account.mail': { count: 'number' }
  'account.settings': unknown
  'account.sign-out': unknown
  'sign-up.honeypot': unknown
  'captcha.title': unknown
  'captcha.lead': unknown
  'captcha.service': unknown
  'captcha.no-script': { site: 'text' }
  'captcha.submit': unknown
  'captcha.failed': unknown
  'captcha.unavailable': unknown
  'sign-in.with': { provider: 'text' }
  'sign-in.external-refused': unknown
  'sign-in.external-unreachable': unknown
  'sign-in.external-expired': unknown
  'sign-in.no-provider': unknown
  'choose-account.title': unknown
  'choose-account.lead': { provider: 'text' }
  'choose-account.create': unknown
  'choose-account.email': { address: 'text' }
  'choose-account.email-taken': unknown
  'choose-account.existing': unknown
  'choose-account.existing-lead': { provider: 'text' }
  'choose-account.link': unknown
  'scope.profile': unknown
  'scope.read': unknown
  'scope.read:accounts': unknown
  'scope.read:blocks': unknown
  'scope.read:bookmarks': unknown
  'scope.read:collections': unknown
  'scope.read:favourites': unknown
  'scope.read:filters': unknown
  'scope.read:follows': unknown
  'scope.read:lists': unknown
  'scope.read:mutes': unknown
  'scope.read:notifications': unknown
  'scope.read:search': unknown
  'scope.read:statuses': unknown
  'scope.write': unknown
  'scope.write:accounts': unknown
  'scope.write:blocks': unknown
  'scope.write:bookmarks': unknown
  'scope.write:collections': unknown
  'scope.write:conversations': unknown
  'scope.write:favourites': unknown
  'scope.write:filters': unknown
  'scope.write:follows': unknown
  'scope.write:lists': unknown
  'scope.write:media': unknown
  'scope.write:mutes': unknown
  'scope.write:notifications': unknown
  'scope.write:reports': unknown
  'scope.write:statuses': unknown
  'scope.follow': unknown
  'scope.push': unknown
  'scope.admin:read': unknown
  'scope.admin:read:accounts': unknown
  'scope.admin:read:reports': unknown
  'scope.admin:read:domain_allows': unknown
  'scope.admin:read:domain_blocks': unknown
  'scope.admin:read:ip_blocks': unknown
  'scope.admin:read:email_domain_blocks': unknown
  'scope.admin:read:canonical_email_blocks': unknown
  'scope.admin:write': unknown
  'scope.admin:write:accounts': unknown
  'scope.admin:write:reports': unknown
  'scope.admin:write:domain_allows': unknown
  'scope.admin:write:domain_blocks': unknown
  'scope.admin:write:ip_blocks': unknown
  'scope.admin:write:email_domain_blocks': unknown
  'scope.admin:write:canonical_email_blocks': unknown
  'settings.back': unknown
  'settings.current-password': unknown
  'settings.title': unknown
  'settings.password': unknown
  'settings.new-password': unknown
  'settings.change-password': unknown
  'settings.password-note': unknown
  'settings.changed': unknown
  'settings.more': unknown
  'settings.email': unknown
  'settings.email-notifications': unknown
  'settings.aliases': unknown
  'settings.migration': unknown
  'settings.deletion': unknown
  'settings.language': unknown
  'settings.language-label': unknown
  'settings.language-submit': unknown
  'change-email.title': unknown
  'change-email.present': { address: 'text' }
  'change-email.label': unknown
  'change-email.hint': unknown
  'change-email.submit': unknown
  'change-email.sent': unknown
  'email-notifications.title': unknown
  'email-notifications.lead': unknown
  'email-notifications.kind.mention': unknown
  'email-notifications.kind.quote': unknown
  'email-notifications.kind.follow': unknown
  'email-notifications.kind.follow_request': unknown
  'email-notifications.kind.reblog': unknown
  'email-notifications.kind.favourite': unknown
  'email-notifications.always': unknown
  'email-notifications.submit': unknown
  'email-notifications.saved': unknown
  'email-notifications.stop-title': unknown
  'email-notifications.stop-lead': { kind: 'text' }
  'email-notifications.stop': unknown
  'email-notifications.stopped-title': unknown
  'email-notifications.stopped': unknown
  'aliases.title': unknown
  'aliases.lead': unknown
  'aliases.label': unknown
  'aliases.hint': unknown
  'aliases.add': unknown
  'aliases.listed': unknown
  'aliases.none': unknown
  'aliases.remove': { unseen: 'tag'; account: 'text' }
  'aliases.added': unknown
  'aliases.removed': unknown
  'migration.title': unknown
  'migration.lead': unknown
  'migration.point-alias': unknown
  'migration.point-unusable': unknown
  'migration.point-undo': unknown
  'migration.every': { days: 'number' }
  'migration.label': unknown
  'migration.hint': unknown
  'migration.submit': unknown
  'migration.moved': unknown
  'migration.moved-to': unknown
  'migration.cancel': unknown
  'migration.cancel-note': unknown
  'migration.done': unknown
  'migration.cancelled': unknown
  'migration.again': unknown
  'deletion.title': unknown
  'deletion.lead': unknown
  'deletion.lead-pending': unknown
  'deletion.point-undo': unknown
  'deletion.point-name': unknown
  'deletion.point-copies': unknown
  'deletion.submit': unknown
  'deletion.gone-title': unknown
  'deletion.gone': { site: 'text' }
  'deletion.gone-pending': { site: 'text' }
  'settings.strikes': unknown
  'email-notifications.staff': unknown
  'email-notifications.staff.report': unknown
  'email-notifications.staff.pending': unknown
  'email-notifications.staff.appeal': unknown
  'email-notifications.staff.trends': unknown
  'restricted.title.disabled': unknown
  'restricted.title.suspended': unknown
  'restricted.text.disabled': unknown
  'restricted.text.suspended': unknown
  'strikes.lead': unknown
  'strikes.none': unknown
  'strikes.appeal.pending': unknown
  'strikes.appeal.approved': unknown
  'strikes.appeal.rejected': unknown
  'strike.back': unknown
  'strike.text': unknown
  'strike.posts': unknown
  'strike.deleted': unknown
  'strike.media': { count: 'number' }
  'strike.missing': { count: 'number' }
  'strike.appeal': unknown
  'strike.appeal-lead': { date: 'text' }
  'strike.appeal-label': unknown
  'strike.appeal-hint': { max: 'number' }
  'strike.appeal-submit': unknown
  'strike.appeal-expired': { date: 'text' }
  'strike.appeal-state.pending': unknown
  'strike.appeal-state.approved': unknown
  'strike.appeal-state.rejected': unknown
  'sessions.title': unknown
  'sessions.lead': unknown
  'sessions.current': unknown
  'sessions.now': unknown
  'sessions.last-used': { time: 'text' }
  'sessions.unknown-browser': unknown
  'sessions.end': unknown
  'sessions.end-label': { browser: 'text' }
  'sessions.end-others': unknown
  'login-activities.title': unknown
  'login-activities.lead': unknown
  'login-activities.none': unknown
  'login-activities.success.password': unknown
  'login-activities.success.otp': unknown
  'login-activities.success.webauthn': unknown
  'login-activities.success.omniauth': unknown
  'login-activities.failure.password': unknown
  'login-activities.failure.otp': unknown
  'login-activities.failure.webauthn': unknown
  'login-activities.failure.omniauth': unknown
  'authorized-applications.title': unknown
  'authorized-applications.lead': unknown
  'authorized-applications.none': unknown
  'authorized-applications.scopes': unknown
  'authorized-applications.since': { time: 'text' }
  'authorized-applications.last-used': { time: 'text' }
  'authorized-applications.never-used': unknown
  'authorized-applications.revoke': unknown
  'authorized-applications.revoke-label': { app: 'text' }
  'preferences.title': unknown
  'preferences.saved': unknown
  'preferences.submit': unknown
  'preferences.posting': unknown
  'preferences.reading': unknown
  'preferences.privacy': unknown
  'preferences.privacy-by-account': unknown
  'preferences.privacy-hint': unknown
  'preferences.quote-policy': unknown
  'preferences.quote-policies.public': unknown
  'preferences.quote-policies.followers': unknown
  'preferences.quote-policies.nobody': unknown
  'preferences.posting-language': unknown
  'preferences.language-of-pages': unknown
  'preferences.sensitive': unknown
  'preferences.show-application': unknown
  'preferences.expand-media': unknown
  'preferences.expand-media.default': unknown
  'preferences.expand-media.show_all': unknown
  'preferences.expand-media.hide_all': unknown
  'preferences.expand-spoilers': unknown
  'preferences.autoplay-gifs': unknown
  'preferences.aggregate-reblogs': unknown
  'preferences.time-zone': unknown
  'preferences.chosen-languages': unknown
  'preferences.chosen-languages-hint': unknown
  'preferences.chosen-languages-count': { count: 'number' }
  'filters.title': unknown
  'filters.none': unknown
  'filters.lead': unknown
  'filters.new': unknown
  'filters.edit': unknown
  'filters.name': unknown
  'filters.contexts': unknown
  'filters.context.home': unknown
  'filters.context.notifications': unknown
  'filters.context.public': unknown
  'filters.context.thread': unknown
  'filters.context.account': unknown
  'filters.action': unknown
  'filters.actions.warn': unknown
  'filters.actions.blur': unknown
  'filters.actions.hide': unknown
  'filters.expiry': unknown
  'filters.expiries.0': unknown
  'filters.expiries.1800': unknown
  'filters.expiries.3600': unknown
  'filters.expiries.21600': unknown
  'filters.expiries.43200': unknown
  'filters.expiries.86400': unknown
  'filters.expiries.604800': unknown
  'filters.expires': { time: 'text' }
  'filters.expired': { time: 'text' }
  'filters.keywords': { count: 'number' }
  'filters.keywords-title': unknown
  'filters.keywords-hint': unknown
  'filters.keyword-label': { number: 'number' }
  'filters.whole-word': unknown
  'filters.statuses': { count: 'number' }
  'filters.submit': unknown
  'filters.delete': unknown
  'own-applications.title': unknown
  'own-applications.lead': unknown
  'own-applications.new': unknown
  'own-applications.deleted': unknown
  'own-applications.saved': unknown
  'own-applications.name': unknown
  'own-applications.website': unknown
  'own-applications.redirect-uris': unknown
  'own-applications.redirect-uris-hint': unknown
  'own-applications.scopes': unknown
  'own-applications.more-scopes': unknown
  'own-applications.submit': unknown
  'own-applications.delete': unknown
  'own-applications.client-id': unknown
  'own-applications.client-secret': unknown
  'own-applications.access-token': unknown
  'own-applications.secrets-once': unknown
  'own-applications.renew': unknown
  'own-applications.renew-hint': unknown
  'settings.invites': unknown
  'invites.lead': unknown
  'invites.create': unknown
  'invites.max-uses': unknown
  'invites.no-limit': unknown
  'invites.uses': { count: 'number' }
  'invites.expires-in': unknown
  'invites.expiry.1800': unknown
  'invites.expiry.3600': unknown
  'invites.expiry.21600': unknown
  'invites.expiry.43200': unknown
  'invites.expiry.86400': unknown
  'invites.expiry.604800': unknown
  'invites.expiry.never': unknown
  'invites.autofollow': unknown
  'invites.comment': unknown
  'invites.comment-hint': unknown
  'invites.submit': unknown
  'invites.created': { link: 'text' }
  'invites.expired-now': unknown
  'invites.list': unknown
  'invites.none': unknown
  'invites.used': { uses: 'number' }
  'invites.used-of': { uses: 'number'; max: 'number' }
  'invites.expires': { date: 'text' }
  'invites.expired': unknown
  'invites.follows': unknown
  'invites.expire': unknown
  'invites.expire-of': { code: 'text' }
  'settings.at-provider': unknown
  'settings.external-logins': unknown
  'external.lead': unknown
  'external.linked': unknown
  'external.not-linked': unknown
  'external.link': unknown
  'external.unlink': unknown
  'external.problem-taken': unknown
  'external.problem-last': unknown
  'settings.export': unknown
  'severed-relationships.title': unknown
  'severed-relationships.lead': unknown
  'severed-relationships.none': unknown
  'severed-relationships.domain_block': { target: 'text' }
  'severed-relationships.user_domain_block': { target: 'text' }
  'severed-relationships.account_suspension': { target: 'text' }
  'severed-relationships.following': { count: 'number' }
  'severed-relationships.followers': { count: 'number' }
  'exports.title': unknown
  'exports.lead': unknown
  'exports.follows': unknown
  'exports.lists': unknown
  'exports.mutes': unknown
  'exports.blocks': unknown
  'exports.domain-blocks': unknown
  'exports.bookmarks': unknown
  'exports.filters': unknown
  'exports.entries': { count: 'number' }
  'exports.download': { unseen: 'tag'; file: 'text' }
  'exports.summary': unknown
  'exports.posts': unknown
  'exports.followers': unknown
  'exports.media': unknown
  'settings.import': unknown
  'imports.title': unknown
  'imports.lead': unknown
  'imports.type': unknown
  'imports.type.following': unknown
  'imports.type.lists': unknown
  'imports.type.muting': unknown
  'imports.type.blocking': unknown
  'imports.type.domain_blocking': unknown
  'imports.type.bookmarks': unknown
  'imports.type.filters': unknown
  'imports.type.archive': unknown
  'imports.file': unknown
  'imports.file-hint': { megabytes: 'number'; rows: 'number' }
  'imports.mode': unknown
  'imports.mode.merge': unknown
  'imports.mode.overwrite': unknown
  'imports.upload': unknown
  'imports.recent': unknown
  'imports.back': unknown
  'imports.confirm-merge': { count: 'number'; kind: 'text' }
  'imports.confirm-overwrite': { count: 'number'; kind: 'text' }
  'imports.confirm-hint': { minutes: 'number' }
  'imports.confirm': unknown
  'imports.cancel': unknown
  'imports.refresh': unknown
  'imports.state.unconfirmed': unknown
  'imports.state.scheduled': unknown
  'imports.state.in_progress': { processed: 'number'; total: 'number' }
  'imports.state.finished': unknown
  'imports.done': { imported: 'number'; total: 'number' }
  'imports.failed': { count: 'number' }
  'imports.failures': unknown
  'imports.archive.title': unknown
  'imports.archive.lead': unknown
  'imports.archive.file': unknown
  'imports.archive.file-hint': { megabytes: 'number'; entries: 'number' }
  'imports.archive.upload': unknown
  'imports.archive.confirm': { count: 'number' }
  'imports.archive.confirm-lead': unknown
  'imports.archive.confirm-saved': unknown
  'imports.archive.failed': { count: 'number' }
  'imports.failure.heading': unknown
  'imports.failure.account-refused': unknown
  'imports.failure.archive-without-account': unknown
  'imports.failure.bookmark-not-found': unknown
  'imports.failure.entry-too-large': unknown
  'imports.failure.entry-unreadable': unknown
  'imports.failure.favourite-not-found': unknown
  'imports.failure.files-missing': unknown
  'imports.failure.poll-refused': unknown
  'imports.failure.post-empty': unknown
  'imports.failure.post-refused': unknown
  'imports.failure.post-too-long': unknown
  'imports.failure.post-undated': unknown
  'imports.failure.post-unreadable': unknown
  'imports.failure.some-files-missing': { missing: 'number'; files: 'number' }
  'imports.undo.title': unknown
  'imports.undo.until': { date: 'text' }
  'imports.undo.start': unknown
  'imports.undo.confirm': { count: 'number' }
  'imports.undo.lead': unknown
  'imports.undo.go': unknown
  'imports.undo.progress': { count: 'number' }
  'imports.undo.done': unknown
  'problem.ERR_FILE_TOO_LARGE': unknown
  'problem.ERR_FILE_TOO_LONG': unknown
  'problem.ERR_FILE_EMPTY': unknown
  'problem.ERR_FILE_FORMAT': unknown
  'problem.ERR_FILE_TYPE': unknown
  'problem.ERR_FILE_ARCHIVE': unknown
  'problem.ERR_TOO_MANY_FOLLOWS': unknown
  'problem.ERR_TOO_MANY_IMPORTS': unknown
  'archive.title': unknown
  'archive.lead': { days: 'number' }
  'archive.request': unknown
  'archive.pending': unknown
  'archive.expiry': { days: 'number' }
  'mail.archive.subject': { site: 'text' }
  'mail.archive.title': unknown
  'mail.archive.text': { days: 'number' }
  'mail.archive.go': unknown
  'mail.archive.note': unknown
  'landing.lead': { domain: 'text' }
  'landing.create': unknown
  'landing.ask': unknown
  'landing.ask-hint': unknown
  'landing.closed': unknown
  'landing.facts': unknown
  'landing.people': { count: 'number' }
  'landing.posts': { count: 'number' }
  'landing.active': { count: 'number' }
  'landing.run-by': unknown
  'landing.trending': unknown
  'landing.newest': unknown
  'landing.empty': unknown
  'landing.members-only': unknown
  'about.title': unknown
  'about.heading': { site: 'text' }
  'about.rules': unknown
  'about.blocked': unknown
  'about.blocked-lead': unknown
  'about.blocked-count': { count: 'number' }
  'about.suspended': unknown
  'about.silenced': unknown
  'about.run-by': unknown
  'about.contact': { email: 'text' }
  'about.join': unknown
  'about.open': unknown
  'about.approved': unknown
  'about.none': unknown
  'about.domain': unknown
  'about.domain-text': { handle: 'text' }
  'about.example': unknown
  'about.software': unknown
  'about.software-text': { software: 'text' }
  'document.privacy': unknown
  'document.terms': unknown
  'document.since': { day: 'text' }
  'document.from': { day: 'text' }
  'document.blank': unknown
  'terms-review.title': unknown
  'profile.posts': unknown
  'profile.replies': unknown
  'profile.media': unknown
  'profile.tabs': unknown
  'profile.tagged': { tag: 'text' }
  'profile.all-posts': unknown
  'profile.post-count': { count: 'number' }
  'profile.following': { count: 'number' }
  'profile.followers': { count: 'number' }
  'profile.facts': unknown
  'profile.fields': unknown
  'profile.verified': { day: 'text' }
  'profile.joined': { month: 'text' }
  'profile.automated': unknown
  'profile.group': unknown
  'profile.locked': unknown
  'profile.tags': unknown
  'profile.tag-count': { count: 'number' }
  'profile.follow': unknown
  'profile.elsewhere': unknown
  'profile.elsewhere-hint': unknown
  'profile.moved': { name: 'text' }
  'profile.memorial': unknown
  'profile.limited': { site: 'text' }
  'profile.show-limited': unknown
  'profile.suspended': unknown
  'profile.suspended-text': unknown
  'profile.avatar-of': { name: 'text' }
  'profile.describe': { name: 'text'; handle: 'text' }
  'profile.empty': unknown
  'profile.empty-media': unknown
  'profile.empty-tagged': unknown
  'tag.lead': { site: 'text' }
  'tag.empty': unknown
  'tag.describe': { tag: 'text' }
  'collection.by': { name: 'text' }
  'collection.count': { count: 'number' }
  'collection.updated': { day: 'text' }
  'collection.describe': { count: 'number'; name: 'text' }
  'collection.follow': { name: 'text' }
  'collection.empty': unknown
  'collection.show-sensitive': unknown
  'interaction.title': unknown
  'interaction.follow': { name: 'text' }
  'interaction.follow-plain': unknown
  'interaction.as-you': unknown
  'interaction.submit': unknown
  'interaction.locked': unknown
  'interaction.following': unknown
  'interaction.requested': unknown
  'interaction.own': unknown
  'interaction.profile': unknown
  'interaction.post': unknown
  'interaction.favourite': unknown
  'interaction.boost': unknown
  'interaction.favourited': unknown
  'interaction.boosted': unknown
  'interaction.open': unknown
  'interaction.answer': unknown
  'interaction.nothing': unknown
  'interaction.nothing-text': unknown
  'interaction.address': { address: 'text' }
  'interaction.failed': unknown
  'share.title': unknown
  'share.text': unknown
  'share.hint': { max: 'number' }
  'share.warning': unknown
  'share.visibility': unknown
  'share.visibilities.public': unknown
  'share.visibilities.unlisted': unknown
  'share.visibilities.private': unknown
  'share.visibilities.direct': unknown
  'share.submit': unknown
  'share.done': unknown
  'share.done-text': unknown
  'clients.title': unknown
  'clients.lead': unknown
  'clients.none': unknown
  'dev-mail.title': unknown
  'dev-mail.lead': unknown
  'dev-mail.empty': unknown
  'dev-mail.to': unknown
  'dev-mail.from': unknown
  'dev-mail.date': unknown
  'dev-mail.open': unknown
  'dev-mail.all': unknown
  'dev-mail.untitled': unknown
  'post.show': unknown
  'post.hide': unknown
  'post.warning': unknown
  'post.sensitive': unknown
  'post.reveal': { count: 'number' }
  'post.counts': unknown
  'post.replies': { count: 'number' }
  'post.boosts': { count: 'number' }
  'post.favourites': { count: 'number' }
  'post.picture': unknown
  'post.video': unknown
  'post.audio': unknown
  'post.file': unknown
  'post.play-video': unknown
  'post.play-audio': unknown
  'post.open-file': unknown
  'post.poll': unknown
  'post.voters': { count: 'number' }
  'post.ended': unknown
  'post.closes-at': { time: 'text' }
  'post.title-of': { name: 'text' }
  'post.boosted-by': { name: 'text' }
  'post.pinned': unknown
  'post.reply-to': { account: 'text' }
  'post.goes-on': unknown
  'post.reply': unknown
  'post.edited': unknown
  'post.edited-at': { time: 'text' }
  'post.versions': unknown
  'post.unlisted': unknown
  'post.quoted': unknown
  'post.limited': unknown
  'thread.replies': unknown
  'thread.before': unknown
  'thread.cut': { count: 'number' }
  'history.title': { name: 'text' }
  'history.heading': unknown
  'history.back': unknown
  'history.version': { number: 'number' }
  'history.first': unknown
  'history.present': unknown
  'history.same': unknown
  'history.warning': unknown
  'history.now-sensitive': unknown
  'history.not-sensitive': unknown
  'history.media': unknown
  'history.media-added': unknown
  'history.media-removed': unknown
  'history.media-changed': unknown
  'history.option': unknown
  'history.added': unknown
  'history.removed': unknown
  'history.pages': unknown
  'history.older': unknown
  'history.newer': unknown
  'embed.open': { site: 'text' }
  'mail.go': { site: 'text' }
  'mail.confirmation.subject': { site: 'text' }
  'mail.confirmation.title': unknown
  'mail.confirmation.title-change': unknown
  'mail.confirmation.text': { account: 'text'; site: 'text' }
  'mail.confirmation.text-approval': { account: 'text'; site: 'text' }
  'mail.confirmation.text-change': { account: 'text'; site: 'text' }
  'mail.confirmation.action': unknown
  'mail.confirmation.note': { days: 'number' }
  'mail.confirmation.note-change': { days: 'number' }
  'mail.pending.subject': { account: 'text'; site: 'text' }
  'mail.pending.title': unknown
  'mail.pending.text': { account: 'text'; email: 'text'; site: 'text' }
  'mail.pending.reason': unknown
  'mail.pending.no-reason': unknown
  'mail.pending.note': { site: 'text'; command: 'text' }
  'mail.address-in-use.subject': { site: 'text' }
  'mail.address-in-use.title': unknown
  'mail.address-in-use.text': { site: 'text'; account: 'text' }
  'mail.address-in-use.you': unknown
  'mail.address-in-use.action': unknown
  'mail.address-in-use.note': unknown
  'mail.password-forgotten.subject': { site: 'text' }
  'mail.password-forgotten.title': unknown
  'mail.password-forgotten.text': { account: 'text'; site: 'text' }
  'mail.password-forgotten.action': unknown
  'mail.password-forgotten.note': { hours: 'number' }
  'mail.password-changed.subject': { site: 'text' }
  'mail.password-changed.title': unknown
  'mail.password-changed.text': { account: 'text'; site: 'text' }
  'mail.password-changed.you': unknown
  'mail.password-changed.action': unknown
  'mail.password-changed.note': unknown
  'mail.password-changed.note-administrators': unknown
  'mail.new-login.subject': { site: 'text' }
  'mail.new-login.title': unknown
  'mail.new-login.text': { account: 'text'; site: 'text' }
  'mail.new-login.you': unknown
  'mail.new-login.action': unknown
  'mail.new-login.note': unknown
  'mail.email-change.subject': { site: 'text' }
  'mail.email-change.title': unknown
  'mail.email-change.text': { days: 'number'; account: 'text'; site: 'text' }
  'mail.email-change.action': unknown
  'mail.email-change.note': unknown
  'mail.email-changed.subject': { site: 'text' }
  'mail.email-changed.title': unknown
  'mail.email-changed.text': { account: 'text'; site: 'text' }
  'mail.email-changed.action': unknown
  'mail.email-changed.note': unknown
  'mail.notification.title.mention': { name: 'text' }
  'mail.notification.title.quote': { name: 'text' }
  'mail.notification.title.follow': { name: 'text' }
  'mail.notification.title.follow_request': { name: 'text' }
  'mail.notification.title.reblog': { name: 'text' }
  'mail.notification.title.favourite': { name: 'text' }
  'mail.notification.from': { account: 'text' }
  'mail.notification.note.mention': unknown
  'mail.notification.note.quote': unknown
  'mail.notification.note.follow': unknown
  'mail.notification.note.follow_request': unknown
  'mail.notification.note.reblog': unknown
  'mail.notification.note.favourite': unknown
  'mail.notification.stop': unknown
  'mail.report.subject': { target: 'text'; site: 'text' }
  'mail.report.title': unknown
  'mail.report.text': { reporter: 'text'; target: 'text'; site: 'text' }
  'mail.report.text-anonymous': { target: 'text'; site: 'text' }
  'mail.report.category.spam': unknown
  'mail.report.category.legal': unknown
  'mail.report.category.violation': unknown
  'mail.report.category.other': unknown
  'mail.report.rules': { rules: 'text' }
  'mail.report.posts': { count: 'number' }
  'mail.report.collections': { count: 'number' }
  'mail.report.comment': unknown
  'mail.report.no-comment': unknown
  'mail.report.note': { site: 'text' }
  'mail.trends.subject': { site: 'text' }
  'mail.trends.title': unknown
  'mail.trends.text': { site: 'text' }
  'mail.trends.note': { site: 'text'; command: 'text' }
  'mail.warning.subject': { title: 'text'; site: 'text' }
  'mail.warning.title.none': unknown
  'mail.warning.title.disable': unknown
  'mail.warning.title.mark_statuses_as_sensitive': unknown
  'mail.warning.title.delete_statuses': unknown
  'mail.warning.title.sensitive': unknown
  'mail.warning.title.silence': unknown
  'mail.warning.title.suspend': unknown
  'mail.warning.account': { account: 'text'; site: 'text' }
  'mail.warning.meaning.none': unknown
  'mail.warning.meaning.disable': unknown
  'mail.warning.meaning.mark_statuses_as_sensitive': unknown
  'mail.warning.meaning.delete_statuses': unknown
  'mail.warning.meaning.sensitive': unknown
  'mail.warning.meaning.silence': unknown
  'mail.warning.meaning.suspend': unknown
  'mail.warning.posts': { count: 'number' }
  'mail.warning.text': unknown
  'mail.warning.note': unknown
  'mail.warning.appeal': { days: 'number' }
  'mail.warning.go': unknown
  'mail.appeal.subject': { account: 'text'; site: 'text' }
  'mail.appeal.title': unknown
  'mail.appeal.text': { account: 'text'; site: 'text' }
  'mail.appeal.decision.none': unknown
  'mail.appeal.decision.disable': unknown
  'mail.appeal.decision.mark_statuses_as_sensitive': unknown
  'mail.appeal.decision.delete_statuses': unknown
  'mail.appeal.decision.sensitive': unknown
  'mail.appeal.decision.silence': unknown
  'mail.appeal.decision.suspend': unknown
  'mail.appeal.message': unknown
  'mail.appeal.note': { site: 'text' }
  'mail.appeal-result.title.approved': unknown
  'mail.appeal-result.title.rejected': unknown
  'mail.appeal-result.about': { decision: 'text' }
  'mail.appeal-result.text.approved': unknown
  'mail.appeal-result.text.rejected': unknown
  'mail.appeal-result.undone': unknown
  'mail.appeal-result.deleted': unknown
  'mail.welcome.subject': { site: 'text' }
  'mail.welcome.title': { account: 'text' }
  'mail.welcome.text': { site: 'text'; handle: 'text' }
  'mail.welcome.apps': { site: 'text' }
  'mail.welcome.action': unknown
  'mail.welcome.note': { site: 'text' }
  'mail.auto-close.subject': { site: 'text' }
  'mail.auto-close.title': unknown
  'mail.auto-close.text': { site: 'text'; days: 'number' }
  'mail.auto-close.undo': unknown
  'mail.auto-close.note': { site: 'text'; command: 'text' }
  'mail.test.subject': { site: 'text' }
  'mail.test.title': unknown
  'mail.test.text': { site: 'text' }
  'mail.test.note': unknown
  'mail.terms.subject': { site: 'text' }
  'mail.terms.title': unknown
  'mail.terms.future': { site: 'text'; day: 'text' }
  'mail.terms.current': { site: 'text'; day: 'text' }
  'mail.terms.agreement': { site: 'text' }
  'mail.terms.changes': unknown
  'mail.terms.action': unknown
  'mail.terms.note': { site: 'text' }
  'push.title.mention': { name: 'text' }
  'push.title.status': { name: 'text' }
  'push.title.reblog': { name: 'text' }
  'push.title.follow': { name: 'text' }
  'push.title.follow_request': { name: 'text' }
  'push.title.favourite': { name: 'text' }
  'push.title.poll': { name: 'text' }
  'push.title.update': { name: 'text' }
  'push.title.quote': { name: 'text' }
  'push.title.quoted_update': { name: 'text' }
  'push.title.admin.sign_up': { name: 'text' }
  'push.title.admin.report': { name: 'text' }
  'push.title.severed_relationships': unknown
  'push.title.moderation_warning': unknown
  'push.title.annual_report': unknown
  'push.title.added_to_collection': { name: 'text' }
  'push.title.collection_update': { name: 'text' }
  'statuses-cleanup.title': unknown
  'statuses-cleanup.lead': unknown
  'statuses-cleanup.saved': unknown
  'statuses-cleanup.permanent': { link: 'tag' }
  'statuses-cleanup.enabled': unknown
  'statuses-cleanup.min-age': unknown
  'statuses-cleanup.ages.604800': unknown
  'statuses-cleanup.ages.1209600': unknown
  'statuses-cleanup.ages.2629746': unknown
  'statuses-cleanup.ages.5259492': unknown
  'statuses-cleanup.ages.7889238': unknown
  'statuses-cleanup.ages.15778476': unknown
  'statuses-cleanup.ages.31556952': unknown
  'statuses-cleanup.ages.63113904': unknown
  'statuses-cleanup.pace': unknown
  'statuses-cleanup.exceptions': unknown
  'statuses-cleanup.exceptions-lead': unknown
  'statuses-cleanup.keep-pinned': unknown
  'statuses-cleanup.keep-direct': unknown
  'statuses-cleanup.keep-favourited': unknown
  'statuses-cleanup.keep-bookmarked': unknown
  'statuses-cleanup.keep-polls': unknown
  'statuses-cleanup.keep-media': unknown
  'statuses-cleanup.interactions': unknown
  'statuses-cleanup.interactions-lead': unknown
  'statuses-cleanup.min-favourites': unknown
  'statuses-cleanup.min-reblogs': unknown
  'statuses-cleanup.submit': unknown
  'sign-in.with-passkey': unknown
  'sign-in.passkey': unknown
  'second-factor.title': unknown
  'second-factor.lead': unknown
  'second-factor.code': unknown
  'second-factor.recovery-code': unknown
  'second-factor.code-hint': unknown
  'second-factor.lost': unknown
  'second-factor.restart': unknown
  'confirm-identity.title': unknown
  'confirm-identity.lead': unknown
  'confirm-identity.submit': unknown
  'confirm-identity.log-in': unknown
  'confirm-identity.cancel': unknown
  'confirm-identity.needed': unknown
  'two-factor.title': unknown
  'two-factor.lead': unknown
  'two-factor.enabled': unknown
  'two-factor.required': unknown
  'two-factor.required-note': unknown
  'two-factor.app': unknown
  'two-factor.app-enabled': unknown
  'two-factor.app-disabled': unknown
  'two-factor.passkeys': unknown
  'two-factor.passkey-count': { count: 'number' }
  'two-factor.totp-enabled': unknown
  'two-factor.totp-removed': unknown
  'two-factor.disabled': unknown
  'two-factor.disable-title': unknown
  'two-factor.disable-note': unknown
  'two-factor.disable': unknown
  'recovery-codes.title': unknown
  'recovery-codes.left': { count: 'number' }
  'recovery-codes.note': unknown
  'recovery-codes.replace': unknown
  'recovery-codes.created': unknown
  'recovery-codes.lead': unknown
  'recovery-codes.print': unknown
  'recovery-codes.download': unknown
  'recovery-codes.saved': unknown
  'authenticator-app.lead': unknown
  'authenticator-app.replace-lead': unknown
  'authenticator-app.scan': unknown
  'authenticator-app.qr-code': unknown
  'authenticator-app.type': unknown
  'authenticator-app.enter': unknown
  'authenticator-app.code': unknown
  'authenticator-app.enable': unknown
  'authenticator-app.replace': unknown
  'authenticator-app.remove-title': unknown
  'authenticator-app.remove-note': unknown
  'authenticator-app.remove': unknown
  'passkeys.lead': unknown
  'passkeys.nickname': unknown
  'passkeys.nickname-hint': unknown
  'passkeys.add': unknown
  'passkeys.use': unknown
  'passkeys.added': unknown
  'passkeys.removed': unknown
  'passkeys.listed': unknown
  'passkeys.none': unknown
  'passkeys.created': { date: 'text' }
  'passkeys.last-used': { date: 'text' }
  'passkeys.unused': unknown
  'passkeys.remove': { unseen: 'tag'; name: 'text' }
  'passkeys.unsupported': unknown
  'passkeys.failed': unknown
  'deletion.username': unknown
  'deletion.username-hint': unknown
  'problem.ERR_WRONG_CODE': unknown
  'problem.ERR_UNVERIFIED_PASSKEY': unknown
  'problem.ERR_OTHER_USERNAME': unknown
  'mail.two-factor.totp-enabled.title': unknown
  'mail.two-factor.totp-enabled.text': { account: 'text'; site: 'text' }
  'mail.two-factor.totp-removed.title': unknown
  'mail.two-factor.totp-removed.text': { account: 'text'; site: 'text' }
  'mail.two-factor.passkey-added.title': unknown
  'mail.two-factor.passkey-added.text': { account: 'text'; site: 'text' }
  'mail.two-factor.passkey-removed.title': unknown
  'mail.two-factor.passkey-removed.text': { account: 'text'; site: 'text' }
  'mail.two-factor.disabled.title': unknown
  'mail.two-factor.disabled.text': { account: 'text'; site: 'text' }
  'mail.two-factor.recovery-codes-replaced.title': unknown
  'mail.two-factor.recovery-codes-replaced.text': { account: 'text'; site: 'text' }
  'mail.two-factor.recovery-code-used.title': unknown
  'mail.two-factor.recovery-code-used.text': { account: 'text'; site: 'text' }
  'mail.two-factor.you': unknown
  'mail.two-factor.note': unknown
  'mail.two-factor.note-sessions': unknown
  'mail.external-login.title': unknown
  'mail.external-login.text': { provider: 'text'; account: 'text'; site: 'text' }
  'mail.external-login.note': unknown
  'mail.second-factor-failed.title': unknown
  'mail.second-factor-failed.password': { account: 'text'; site: 'text' }
  'mail.second-factor-failed.external': { account: 'text'; site: 'text' }
  'mail.second-factor-failed.you': unknown
  'mail.second-factor-failed.note-password': unknown
  'mail.second-factor-failed.note-administrators': unknown
  'mail.second-factor-failed.note-external': unknown
}
