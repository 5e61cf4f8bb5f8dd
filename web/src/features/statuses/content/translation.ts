import { useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/session.ts'
import type { Translation } from '../../../lib/api/entities.ts'
import { locale } from '../../../lib/i18n/messages.ts'
import { startData } from '../../../lib/start-data.ts'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { translationLanguagesQuery } from '../../instance/instance.ts'
import type { StoredStatus } from '../status-store.ts'

/** The translation of a status, and whether the user can ask for it. */
export interface StatusTranslation {
  isOffered: boolean
  isShown: boolean
  isFailed: boolean
  translation: Translation | null
  toggle: () => void
}

/** Translates a status into the user's language when they ask for it. Servers translate only public statuses. */
export function useTranslation(status: StoredStatus): StatusTranslation {
  const { data: languages } = useQuery({ ...translationLanguagesQuery, enabled: startData.hasTranslation })
  const isOffered =
    (languages?.[status.language ?? 'und']?.includes(locale) ?? false) &&
    (status.visibility === 'public' || status.visibility === 'unlisted') &&
    !status.localOnly &&
    (status.content !== '' || status.spoilerText !== '')
  const [isShown, setIsShown] = useRememberedState(`translation-${status.id}`, false)
  const { data, isError, refetch } = useQuery({
    queryKey: ['translation', status.id, status.editedAt],
    queryFn: async () =>
      (await api().v1.statuses.$select(status.id).translate({ lang: locale })) as unknown as Translation,
    enabled: isOffered && isShown,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return {
    isOffered,
    isShown,
    isFailed: isShown && isError,
    translation: (isShown && data) || null,
    toggle: () => (isShown && isError ? void refetch() : setIsShown(!isShown)),
  }
}

/** Returns a status with the texts of its translation. */
export function translated(status: StoredStatus, translation: Translation | null): StoredStatus {
  if (!translation) return status
  const { poll, mediaAttachments } = status
  const descriptions = new Map(translation.mediaAttachments.map(({ id, description }) => [id, description]))
  return {
    ...status,
    content: translation.content,
    spoilerText: translation.spoilerText,
    language: translation.language,
    mediaAttachments: mediaAttachments.map((attachment) => ({
      ...attachment,
      description: descriptions.get(attachment.id) ?? attachment.description,
    })),
    poll: poll && {
      ...poll,
      options: poll.options.map((option, index) => ({ ...option, ...translation.poll?.options[index] })),
    },
  }
}
