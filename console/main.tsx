/** Starts the console. */
import './ui/styles/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { loadSession } from './api/session.ts'
import { router } from './app/router.tsx'
import { useStore } from './app/store.ts'
import { language, startLanguage } from './i18n/i18n.ts'
import { TooltipProvider } from './ui/hints/tooltip.tsx'
import { Toasts } from './ui/overlays/toast.tsx'
import { startAppearance } from './ui/styles/appearance.ts'
import './shared.ts'

function App() {
  const current = useStore(language)
  return (
    <TooltipProvider key={current}>
      <RouterProvider router={router} />
      <Toasts />
    </TooltipProvider>
  )
}

startAppearance()
// Dialogs and menus add a style element that stops the page behind them from scrolling.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '')
void loadSession()
void startLanguage().then(() => createRoot(document.getElementById('root')!).render(<App />))
