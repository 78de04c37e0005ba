{{/* Takes besides: "service", ports of the Service by the name of the container's. */}}
{{- define "drover.service" -}}
apiVersion: v1
kind: Service
{{ include "drover.metadata" . }}
spec:
  selector: {{- include "drover.selector" . | nindent 4 }}
  ports:
    {{- range $name, $port := .service }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }}, protocol: TCP }
    {{- end }}
{{- end }}

{{/* The API server comes from the network of its node, which no selector names: what it calls is open to all. */}}
{{- define "drover.networkPolicy" -}}
{{- $values := .root.Values.networkPolicy -}}
{{- if $values.enabled -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
{{ include "drover.metadata" . }}
spec:
  podSelector:
    matchLabels: {{- include "drover.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports: [{ port: metrics, protocol: TCP }]
      {{- with $values.metricsFrom }}
      from: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- if .ports.webhooks }}
    - ports: [{ port: webhooks, protocol: TCP }]
    {{- end }}
  egress:
    - ports:
        {{- range $values.apiServerPorts }}
        - { port: {{ . }}, protocol: TCP }
        {{- end }}
      {{- with $values.apiServerCidrs }}
      to:
        {{- range . }}
        - ipBlock: { cidr: {{ . }} }
        {{- end }}
      {{- end }}
    {{- if $values.dns }}
    - ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
    {{- end }}
{{- end }}
{{- end }}
