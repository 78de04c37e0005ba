{{/* What a part that serves webhooks is told of its certificate. */}}
{{- define "drover.certificateArgs" -}}
{{- if eq .root.Values.certificates.source "bootstrap" -}}
- --bootstrap-certs
- --secret=$(POD_NAMESPACE)/drover-{{ .name }}-certs
{{- else -}}
- --tls-cert=/etc/drover/certificates/tls.crt
- --tls-key=/etc/drover/certificates/tls.key
{{- end }}
{{- end }}

{{/* The Secret of its certificate, where Drover does not read it by itself. */}}
{{- define "drover.certificateVolumes" -}}
{{- if ne .root.Values.certificates.source "bootstrap" -}}
- name: certificates
  path: /etc/drover/certificates
  # 0440, which not every reader of YAML takes for octal
  source: { secret: { secretName: drover-{{ .name }}-certs, defaultMode: 288 } }
{{- end }}
{{- end }}

{{/* Rights for certificates that Drover makes: "kinds" are those of its webhook configurations. */}}
{{- define "drover.injectionRules" -}}
- apiGroups: [admissionregistration.k8s.io]
  resources: {{ .kinds | toJson }}
  resourceNames: [drover-{{ .name }}]
  verbs: [get, patch]
{{- end }}

{{- define "drover.secretRole" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
{{ include "drover.metadata" . }}
rules:
  # A name cannot be told of what does not exist yet.
  - apiGroups: [""]
    resources: [secrets]
    verbs: [create]
  - apiGroups: [""]
    resources: [secrets]
    resourceNames: [drover-{{ .name }}-certs]
    verbs: [get, update]
{{- end }}

{{- define "drover.certificate" -}}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: drover-{{ .name }}-certs
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "drover.labels" . | nindent 4 }}
spec:
  secretName: drover-{{ .name }}-certs
  dnsNames: [drover-{{ .name }}.{{ .root.Release.Namespace }}.svc]
  issuerRef: {{- toYaml .root.Values.certificates.issuer | nindent 4 }}
{{- end }}

{{/* The configurations of a part, by the file that is made from Drover's own. */}}
{{- define "drover.configurations" -}}
{{- $part := . -}}
{{- $certificates := .root.Values.certificates -}}
{{- $service := dict "namespace" .root.Release.Namespace "name" (printf "drover-%s" .name) -}}
{{- range $kind, $webhooks := .root.Files.Get (printf "files/%s-webhooks.yaml" .name) | fromYaml }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: {{ $kind }}
{{ include "drover.clusterMetadata" $part }}
  {{- if eq $certificates.source "cert-manager" }}
  annotations:
    cert-manager.io/inject-ca-from: {{ $service.namespace }}/drover-{{ $part.name }}-certs
  {{- end }}
webhooks:
  {{- range $webhook := $webhooks }}
  {{- $_ := merge $webhook.clientConfig.service $service }}
  {{- if and (eq $certificates.source "secret") $certificates.caBundle }}
  {{- $_ := set $webhook.clientConfig "caBundle" (b64enc $certificates.caBundle) }}
  {{- end }}
  - {{- toYaml $webhook | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* All that the parts that serve webhooks have alike. */}}
{{- define "drover.webhookServer" -}}
{{ include "drover.account" . }}
---
{{ include "drover.clusterBinding" . }}
{{- if eq .root.Values.certificates.source "bootstrap" }}
---
{{ include "drover.secretRole" . }}
---
{{ include "drover.binding" . }}
{{- end }}
---
{{ include "drover.deployment" . }}
---
{{ include "drover.service" . }}
---
{{ include "drover.budget" . }}
---
{{ include "drover.networkPolicy" . }}
{{ include "drover.configurations" . }}
{{- if eq .root.Values.certificates.source "cert-manager" }}
---
{{ include "drover.certificate" . }}
{{- end }}
{{- end }}
