import { lazy, useEffect, useState } from 'react'
import { LazyPart } from '../../ui/lazy-part.tsx'

const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }))

/** Opens the list of shortcuts when `?` is pressed. */
export function ShortcutsHelp() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const open = () => setIsOpen(true)
    document.addEventListener('linnet-shortcuts', open)
    return () => document.removeEventListener('linnet-shortcuts', open)
  }, [])
  return (
    isOpen && (
      <LazyPart onFailure={() => setIsOpen(false)}>
        <ShortcutsDialog onClose={() => setIsOpen(false)} />
      </LazyPart>
    )
  )
}
