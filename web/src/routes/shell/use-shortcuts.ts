import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ownAccountQuery } from '../../features/accounts/own/own-account.ts'
import { handleShortcut, OWN_PROFILE } from '../../lib/shortcuts.ts'

/** Handles the keys of the client, and opens the pages that they name. */
export function useShortcuts(): void {
  const { history } = useRouter()
  const client = useQueryClient()
  useEffect(() => {
    const openPage = async ({ detail: path }: CustomEvent<string>) => {
      if (!path.startsWith(OWN_PROFILE)) return history.push(path)
      // Without a connection, the account may be unknown. Then there is no profile to open either.
      const account = await client.ensureQueryData(ownAccountQuery).catch(() => null)
      if (account) history.push(path.replace(OWN_PROFILE, `/@${account.acct}`))
    }
    const onPage = (event: Event) => void openPage(event as CustomEvent<string>)
    document.addEventListener('keydown', handleShortcut)
    document.addEventListener('linnet-page', onPage)
    return () => {
      document.removeEventListener('keydown', handleShortcut)
      document.removeEventListener('linnet-page', onPage)
    }
  }, [history, client])
}
