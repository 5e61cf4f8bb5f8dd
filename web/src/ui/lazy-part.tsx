import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { message } from '../lib/i18n/messages.ts'
import { showToast } from './notices/toasts.tsx'

interface LazyPartProps {
  /** Shown while it loads. */
  fallback?: ReactNode
  /** What nobody misses fails without a message. */
  isOptional?: boolean
  /** Called after a failure, for example to close what the part would show. */
  onFailure?: () => void
  children: ReactNode
}

/**
 * A part of the page whose code is loaded when it is first shown. If that fails, without a network or after an upgrade
 * of the server, the rest of the page stays, and a message offers to load it again.
 */
export class LazyPart extends Component<LazyPartProps, { hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(): void {
    const { isOptional, onFailure } = this.props
    if (!isOptional)
      showToast({
        kind: 'alert',
        text: message('web.part-failed'),
        // React and browsers cache the failure of a module.
        action: { label: message('web.reload'), run: () => location.reload() },
      })
    onFailure?.()
  }

  override render(): ReactNode {
    const { fallback = null, children } = this.props
    return this.state.hasFailed ? null : <Suspense fallback={fallback}>{children}</Suspense>
  }
}
